"""Sets of SGLang's views, made of answers and files: a tree or a commit with the files it names."""

from __future__ import annotations

import json
from typing import Any

from pipelines.sources.base import Bundle
from pipelines.sources.sglang.repository import Repository, blob_sha
from tests.fuzz.readers.base import bundle_of
from tests.unit.sglang.fake_github import REPO

COMMIT = "c" * 40
REPOSITORY = Repository(REPO)


def tree_answer(files: dict[str, bytes]) -> dict[str, Any]:
    """A recursive tree of files, as GitHub gives it."""
    return {"sha": COMMIT, "truncated": False, "tree": [{"path": p, "mode": "100644", "type": "blob", "sha": blob_sha(b)} for p, b in files.items()]}


def commit_answer(files: dict[str, bytes]) -> dict[str, Any]:
    """A commit that added files, as GitHub gives it."""
    who = {"name": "dev", "date": "2026-10-22T17:00:00Z"}
    listed = [{"filename": p, "status": "added", "sha": blob_sha(b), "additions": 1, "deletions": 0, "changes": 1} for p, b in files.items()]
    return {
        "sha": COMMIT,
        "commit": {"message": "docs(cookbook): rows (#41020)", "author": who, "committer": who},
        "author": {"login": "dev"},
        "stats": {"total": len(listed)},
        "files": listed,
    }


def set_of(view: str, files: dict[str, bytes], manifest: bytes | None = None, kind: str = "tree", **more: Any) -> Bundle:
    """A set that names `files`; `manifest` are the answer's bytes where they are not as they should be."""
    folders = sorted({p.rsplit("/", 1)[0] for p in files})
    meta: dict[str, Any] = {"manifest": kind, "folders": folders, "commit": COMMIT, "changes": sorted(files), "subject": "rows (#41020)", "pull": 41020, **more}
    answer = manifest if manifest is not None else json.dumps((tree_answer if kind == "tree" else commit_answer)(files)).encode()
    return bundle_of("sglang", view, REPOSITORY.scope(view), (answer, meta), *((body, {"blob": blob_sha(body)}) for body in files.values()))
