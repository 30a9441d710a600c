"""Makes complete sets of a view: one for a commit, one for a tree, with every file they are read with."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipelines.sources.base import Capture, Collector
from pipelines.sources.sglang.answers import Detail, Tree
from pipelines.sources.sglang.commits import Change
from pipelines.sources.sglang.evidence import Evidence, Parts
from pipelines.sources.sglang.files import Files, Version
from pipelines.sources.sglang.github import RawFiles
from pipelines.sources.sglang.repository import GATES, Repository, is_under, kind_of
from pipelines.sources.sglang.settled import Settled


@dataclass(frozen=True)
class When:
    """The commit a set stands for: `set_id` names it, `sha` is where its files are read, `at` when it held."""

    set_id: str
    sha: str
    at: dt.datetime
    date_source: str = "commit"


class Settler:
    """Fetches what a set needs and attaches it when all of it is there, the manifest last."""

    def __init__(self, run: Collector, repository: Repository, folders: Sequence[str], raw: RawFiles, evidence: Evidence):
        self.run, self.repository, self.folders, self.raw, self.evidence = run, repository, folders, raw, evidence

    def commit(self, scope: str, detail: Detail, changes: list[Change], files: Files, roots: list[str]) -> bool:
        """Settle a commit's set; `files` are those after it. False where something could not be had.

        Raises FilesDown and BudgetSpent.
        """
        touched = files.touched(changes)
        needed = files.needed(touched)
        changed = {c.path: c.blob for c in changes}
        meta = {
            "manifest": "commit",
            "commit": detail.commit.sha,
            "pull": detail.commit.pull_request,
            "author": detail.commit.author,
            "subject": detail.commit.subject,
            "changes": changed,
            "previous": {c.path: c.previous for c in changes if c.previous},
            "siblings": {p: b for p, b in needed.items() if p not in changed},
            "keys": {p: k for p, k in files.keys.items() if p in touched},
            "former": {p: files.former[p] for p in sorted(touched) if scope == GATES and files.former.get(p)},
            "roots": roots,
            "unwatched": [c.path for c in changes if c.blob and not is_under(c.path, self.folders)],
        }
        manifest = [(page, meta if number == 0 else {"manifest": "more"}) for number, page in enumerate(detail.pages)]
        when = When(detail.commit.sha, detail.commit.sha, detail.commit.at)
        return self._settle(scope, when, manifest, needed, meta, detail.commit.pull_request)

    def tree(self, scope: str, tree: Tree, files: Files, when: When, more: Mapping[str, Any]) -> bool:
        """Settle a set that says how the whole view stood. False where something could not be had.

        Raises FilesDown and BudgetSpent.
        """
        needed = files.needed(p for p in files.blobs if kind_of(p) != "config")
        former = {p: v for p, v in files.former.items() if v and scope == GATES}
        meta = {"manifest": "tree", "commit": when.sha, "folders": list(self.folders), "keys": dict(files.keys), "former": former, **more}
        manifest = [(answer, {**(meta if n == 0 else {"manifest": "more"}), "under": under}) for n, (answer, under) in enumerate(tree.answers)]
        return self._settle(scope, when, manifest, needed, meta, None)

    def again(self, scope: str, settled: Settled, former: Mapping[str, list[Version]]) -> bool:
        """Tell a set what its files were before: its manifest is attached again. False where something could not be had.

        Raises BudgetSpent.
        """
        before = self._before(former, None)
        if before is None:
            return False
        meta = {k: v for k, v in settled.meta.items() if k not in ("attached", "headers")} | {"former": former}
        set_id = settled.manifest.set_id.rpartition("#")[0]
        self._attach(scope, When(set_id, settled.sha, settled.at, settled.manifest.date_source), [*before, (settled.manifest, meta)])
        return True

    def _settle(self, scope: str, when: When, manifest: Parts, needed: Mapping[str, str], meta: Mapping[str, Any], pull: int | None) -> bool:
        captures = []
        for path, blob in self.run.progress(sorted(needed.items()), len(needed), "reading SGLang files"):
            captures.append(self.raw.get(scope, blob, when.sha, path))
        found = [c for c in captures if c is not None]
        if len(found) < len(captures):
            return False
        parts: list[tuple[Capture, Mapping[str, Any]]] = [(c, {}) for c in found]
        if scope == GATES:
            texts = {path: self.run.body(c).decode("utf-8", "replace") for path, c in zip(sorted(needed), found, strict=True)}
            before = self._before(meta.get("former", {}), pull, texts)
            if before is None:
                return False
            parts += before
        self._attach(scope, when, [*parts, *reversed(manifest)])
        return True

    def checked(self, scope: str, listing: Capture) -> None:
        """Note that a view was looked at and nothing was new, so that its freshness shows."""
        when = When(f"checked@{self.run.at:%Y-%m-%dT%H%M%SZ}", "", self.run.at, "capture")
        self._attach(scope, when, [(listing, {"checked": True})])

    def _before(self, former: Mapping[str, list[Version]], pull: int | None, texts: Mapping[str, str] | None = None) -> Parts | None:
        """What gates are held against: their files' former versions, and the words and runs they rest on."""
        versions = [version for path in sorted(former) for version in former[path]]
        pulls = [number for number in (pull, *(p for _, p in reversed(versions))) if number is not None]
        evidence = self.evidence.parts(texts or {}, dict.fromkeys(pulls))
        if evidence is None:
            return None
        return [*((c, {}) for blob, _ in versions if (c := self.raw.known.get(blob)) is not None), *evidence]

    def _attach(self, scope: str, when: When, parts: Iterable[tuple[Capture, Mapping[str, Any]]]) -> None:
        for capture, meta in parts:
            self.run.attach(
                capture,
                set_id=f"{when.set_id}#{scope}",
                scope=self.repository.scope(scope),
                resource=scope,
                effective_at=when.at,
                date_source=when.date_source,
                meta=meta,
            )
