"""GitHub's answers: trees, commits, lists of pull requests."""

from __future__ import annotations

from typing import Any

from pipelines.sources.base import Bundle
from pipelines.sources.sglang.commits import changes_of, commit_of, entries_of, read_json, revert_of, subtrees_of
from pipelines.sources.sglang.evidence import pull_text
from pipelines.sources.sglang.github import has, is_list
from pipelines.sources.sglang.source import SGLang
from tests.fuzz.readers.base import Reader, bundle_of
from tests.fuzz.readers.sglang_sets import REPOSITORY, commit_answer, set_of, tree_answer
from tests.fuzz.spoiling import Spoiler
from tests.unit.sglang.fake_github import DOCS, benchmarks, entry
from tests.unit.sglang.gates.files import PATH, two_gates
from tests.unit.sglang.test_pull_requests import CLAIM

PULL = {
    "number": 41020,
    "title": "[NV] docs(cookbook): GB300 deployments on AA AgentPerf",
    "body": CLAIM,
    "state": "closed",
    "draft": False,
    "labels": [{"name": "cookbook"}, {"name": "nvidia"}],
    "user": {"login": "dev"},
    "base": {"ref": "main"},
    "created_at": "2026-10-20T10:00:00Z",
    "updated_at": "2026-10-22T17:00:00Z",
    "merged_at": "2026-10-22T17:00:00Z",
    "closed_at": "2026-10-22T17:00:00Z",
    "merge_commit_sha": "d" * 40,
}
REVERT = {**PULL, "number": 41021, "title": 'Revert "[NV] docs(cookbook): GB300 deployments (#41020)"', "body": "Reverts sgl-project/sglang#41020"}


def spoilt(spoiler: Spoiler) -> Bundle:
    random = spoiler.random
    if random.random() < 0.5:
        pages = [spoiler.json(spoiler.tree([PULL, REVERT])) for _ in range(random.choice([1, 2]))]
        bodies = [(spoiler.data(p.encode("utf-8", "surrogatepass")), {}) for p in pages]
        files = (spoiler.json(spoiler.tree([{"filename": PATH}])).encode("utf-8", "surrogatepass"), {"files_of": 41020})
        end = {"end": True, "models": ["muse-spark-open"], "paths": {}, "reverts": {"41021": 41020}, "reverted_by": {"41020": 41021}}
        return bundle_of("sglang", "pulls", REPOSITORY.scope("pulls"), *bodies, files, (b"[]", end))
    view = random.choice(["cookbook", "gates"])
    files_of = {PATH: two_gates().encode()} if view == "gates" else {f"{DOCS}/meta/muse-benchmarks.jsx": benchmarks(entry()).encode()}
    kind = random.choice(["tree", "commit"])
    answer = spoiler.tree((tree_answer if kind == "tree" else commit_answer)(files_of))
    return set_of(view, files_of, spoiler.data(spoiler.json(answer).encode("utf-8", "surrogatepass")), kind)


def answers(data: bytes) -> Any:
    """What collecting asks of an answer before it goes on."""
    found = read_json(data)
    commit = commit_of(found)
    reverted = revert_of(commit.subject, commit.message) if commit else None
    number = commit.pull_request if commit else None
    is_list(data), has("sha", "commit")(data), subtrees_of(found), pull_text(found)
    return commit, reverted, number, changes_of([found]), entries_of(found)


READER = Reader("GitHub answers", SGLang(), spoilt, (answers,))
