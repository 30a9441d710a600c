"""What the lake already holds of a view: complete sets, one a commit, from which everything else is derived.

A set of captures is attached when all of it is there, its manifest (the commit's or tree's answer) last. The
manifest's `meta` says what `parse` cannot see in the bytes:

    manifest   `commit` or `tree`; `more` for further pages of the same answer
    commit     hash the files were read at; `pull`, `author`, `subject` of a commit
    changes    path to blob of the view's files the commit touched (null: removed)
    previous   path to former path of those it moved
    siblings   path to blob of files it did not touch but that are read with them
    keys       path to identity of files that were renamed
    former     path to what a gate file was before, oldest first: blob and pull request
    folders    watched folders a tree is read under
    begins     our following of the view begins at this tree
    empty      views of which a first tree holds nothing
    roots      watched folders whose listing named the commit
    unwatched  paths that files moved to outside the watched folders
    gone       commits that vanished from the branch, for which the tree stands in
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pipelines.sources.base import Capture, Collector
from pipelines.sources.sglang.commits import Change, entries_of, read_json
from pipelines.sources.sglang.files import Files
from pipelines.sources.sglang.repository import SCOPES, is_under


@dataclass(frozen=True)
class Settled:
    """A complete set: a commit's, or a tree's standing for all before it."""

    sha: str
    at: dt.datetime
    is_tree: bool
    meta: Mapping[str, Any]
    manifest: Capture

    @property
    def changes(self) -> list[Change]:
        previous = self.meta.get("previous", {})
        return [Change(path, blob, previous.get(path)) for path, blob in self.meta.get("changes", {}).items()]


def settled_sets(run: Collector, scope: str) -> list[Settled]:
    """The complete sets of a view, in the order they held."""
    found = []
    for capture in run.captures(resource=scope):
        kind = capture.meta.get("manifest")
        if capture.ok and kind in ("commit", "tree") and capture.effective_at is not None:
            found.append(Settled(str(capture.meta["commit"]), capture.effective_at, kind == "tree", capture.meta, capture))
    newest = {(s.sha, s.at): s for s in found}  # a set may have been made again with more of its past
    return sorted(newest.values(), key=lambda s: s.at)


def begins(sets: Mapping[str, list[Settled]], scope: str) -> dt.datetime | None:
    """When our following of a view begins: at its newest first look, or at one that held nothing of it. None: not yet."""
    own = [s.at for s in sets[scope] if s.meta.get("begins")]
    if own:
        return max(own)
    return min((s.at for other in SCOPES for s in sets[other] if scope in s.meta.get("empty", ())), default=None)


def files_of(run: Collector, scope: str, settled: Settled) -> Files:
    """The view's files at a tree's set."""
    entries: dict[str, str] = {}
    for capture in run.captures(set_id=settled.manifest.set_id):
        if capture.meta.get("manifest") in ("tree", "more"):
            under = capture.meta.get("under", "")
            entries |= {under + p: b for p, b in (entries_of(read_json(run.body(capture))) or {}).items()}
    watched = {path: blob for path, blob in entries.items() if is_under(path, settled.meta["folders"])}
    return Files.of_tree(scope, watched, settled.meta.get("keys", {}))
