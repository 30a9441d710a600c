"""The files we read as they stood after a commit: their Git blobs, what identifies their rows, and gates' former versions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pipelines.sources.sglang.commits import Change
from pipelines.sources.sglang.repository import benchmarks_of, config_of, is_under, kind_of, model_key, scope_of

Version = tuple[str, int | None]


@dataclass
class Files:
    """Path to blob of one view's files. `keys`: identities of files that were renamed, by path.

    `former`: what a gate file was before, oldest first: blob and pull request that brought it.
    """

    scope: str
    blobs: dict[str, str] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    former: dict[str, list[Version]] = field(default_factory=dict)
    brought: dict[str, int | None] = field(default_factory=dict)

    @classmethod
    def of_tree(cls, scope: str, entries: Mapping[str, str], keys: Mapping[str, str]) -> Files:
        """The view's files in a tree."""
        return cls(scope, {p: b for p, b in entries.items() if scope_of(p) == scope}, {p: k for p, k in keys.items() if p in entries})

    def key_of(self, path: str) -> str:
        """What identifies the rows of a file: its first name, through renames."""
        return self.keys.get(path) or model_key(path)

    def resolved(self, changes: Iterable[Change], folders: Sequence[str]) -> list[Change]:
        """The view's part of a commit's changes, with moves that Git's rename detection left as removed and added.

        Files outside the watched folders count only where one we know is moved there.
        """
        own = [c for c in changes if self.scope in (scope_of(c.path), scope_of(c.previous or ""))]
        own = [c for c in own if c.path in self.blobs or c.previous in self.blobs or is_under(c.path, folders)]
        removed = _only_once((self.blobs.get(c.path), c.path) for c in own if c.blob is None)
        added = _only_once((c.blob, c.path) for c in own if c.blob and not c.previous and c.path not in self.blobs)
        moves = {path: removed[blob] for blob, path in added.items() if blob in removed and kind_of(path) == kind_of(removed[blob])}
        return [replace(c, previous=moves[c.path]) if c.path in moves else c for c in own]

    def apply(self, changes: Iterable[Change], pull: int | None) -> None:
        """Go on to the next commit; `changes` as `resolved` gave them, `pull` the pull request that brought them."""
        changes = list(changes)
        keys = {c.path: self.key_of(c.previous) for c in changes if c.previous and c.blob}
        former = {c.path: self._versions(c.previous or c.path) for c in changes if c.blob}
        for change in changes:
            for gone in (change.previous, change.path if change.blob is None else None):
                if gone:
                    self._forget(gone)
        for change in changes:
            if change.blob and scope_of(change.path) == self.scope:
                if change.path in keys and keys[change.path] != model_key(change.path):
                    self.keys[change.path] = keys[change.path]
                self.former[change.path] = [v for v in former[change.path] if v[0] != change.blob]
                self.blobs[change.path], self.brought[change.path] = change.blob, pull

    def replaced_by(self, tree: Files) -> Files:
        """Go on to a tree, which says how the view stands; what its files were before stays known."""
        former = {p: [v for v in self._versions(p) if v[0] != b] for p, b in tree.blobs.items()}
        brought = {p: self.brought.get(p) for p, b in tree.blobs.items() if self.blobs.get(p) == b}
        return Files(tree.scope, tree.blobs, tree.keys, former, brought)

    def _forget(self, path: str) -> None:
        self.blobs.pop(path, None)
        self.keys.pop(path, None)
        self.former.pop(path, None)
        self.brought.pop(path, None)

    def _versions(self, path: str) -> list[Version]:
        known = list(self.former.get(path, ()))
        blob = self.blobs.get(path)
        return [*known, (blob, self.brought.get(path))] if blob and blob not in {b for b, _ in known} else known

    def touched(self, changes: Iterable[Change]) -> set[str]:
        """Files whose rows a commit may have changed: those it wrote, and the benchmarks beside a config it touched."""
        paths = {p for c in changes for p in (c.path, c.previous) if p}
        beside = {b for p in paths if kind_of(p) == "config" and (b := benchmarks_of(p, self.blobs))}
        return {p for p in paths | beside if p in self.blobs and kind_of(p) != "config"}

    def needed(self, paths: Iterable[str]) -> dict[str, str]:
        """Blobs to read these files with: their own, and those of the configs beside them."""
        found = {p: self.blobs[p] for p in paths}
        for path in list(found):
            config = config_of(path, self.blobs) if kind_of(path) == "benchmarks" else None
            if config:
                found[config] = self.blobs[config]
        return found


def _only_once(pairs: Iterable[tuple[str | None, str]]) -> dict[str, str]:
    """Blob to path, without the blobs that several paths hold."""
    paths: dict[str, list[str]] = {}
    for blob, path in pairs:
        if blob:
            paths.setdefault(blob, []).append(path)
    return {blob: held[0] for blob, held in paths.items() if len(held) == 1}


def keys_before(changes: Iterable[Change], keys: Mapping[str, str]) -> dict[str, str]:
    """Identities of the files before a commit, given those after it: a file keeps the name it is known by now."""
    before = {p: k for p, k in keys.items() if p not in {c.path for c in changes if c.previous}}
    for change in changes:
        if change.previous and change.blob:
            key = keys.get(change.path) or model_key(change.path)
            if key != model_key(change.previous):
                before[change.previous] = key
    return before
