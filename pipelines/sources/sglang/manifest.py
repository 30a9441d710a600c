"""The manifest of a set: the commit or tree it stands for, and the files that were attached with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pipelines.sources.base import Bundle, Incomplete, Part, Unreadable
from pipelines.sources.sglang.commits import Change, changes_of, commit_of, entries_of, read_json
from pipelines.sources.sglang.repository import Repository, blob_sha, is_under, kind_of, model_key, repository_of, scope_of

NO_FILE = ("manifest", "pull", "run")


@dataclass
class Manifest:
    """A set read: what it stands for, the view's files by path, and their bytes by blob.

    `changes` is None for a tree, which speaks for the whole view. `files` are those the set is read from.
    """

    repository: Repository
    commit_sha: str
    meta: Mapping[str, Any]
    changes: list[Change] | None
    files: dict[str, str]
    bodies: dict[str, bytes] = field(default_factory=dict)

    @property
    def pull_request(self) -> int | None:
        return self.meta.get("pull")

    @property
    def subject(self) -> str:
        return self.meta.get("subject") or ""

    def text_of(self, path: str) -> bytes:
        """The bytes of one of the set's files.

        Raises Incomplete where they were not attached.
        """
        blob = self.files[path]
        if blob not in self.bodies:
            raise Incomplete(f"{path} is not there yet")
        return self.bodies[blob]

    def key_of(self, path: str) -> str:
        """What identifies the rows of a file."""
        return str(self.meta.get("keys", {}).get(path) or model_key(path))


def is_check(bundle: Bundle) -> bool:
    """Whether a set only notes that a view was looked at and nothing was new."""
    return any(p.meta.get("checked") for p in bundle.parts)


def manifest_of(bundle: Bundle, scope: str) -> Manifest:
    """Read a set of a view.

    Raises Incomplete where its manifest or a file is missing, Unreadable where the manifest is not GitHub's.
    """
    first = next((p for p in bundle.parts if p.meta.get("manifest") in ("commit", "tree")), None)
    if first is None:
        raise Incomplete("the set has no manifest yet")
    pages = [read_json(p.body) for p in _pages(bundle, first)]
    bodies = {blob_sha(p.body): p.body for p in bundle.parts if not any(k in p.meta for k in NO_FILE)}
    repository = repository_of(bundle.scope)
    if first.meta["manifest"] == "tree":
        entries: dict[str, str] = {}
        for part, page in zip(_pages(bundle, first), pages, strict=True):
            listed = entries_of(page)
            if listed is None:
                raise Unreadable("the tree's list of files is not whole")
            entries |= {part.meta.get("under", "") + path: blob for path, blob in listed.items()}
        files = {p: b for p, b in entries.items() if scope_of(p) == scope and is_under(p, first.meta["folders"])}
        return Manifest(repository, str(first.meta["commit"]), first.meta, None, files, bodies)
    commit, changes = commit_of(pages[0]), changes_of(pages)
    if commit is None or changes is None:
        raise Unreadable("the commit's list of files is not whole")
    previous = first.meta.get("previous", {})
    own = [Change(c.path, c.blob, previous.get(c.path)) for c in changes if c.path in first.meta["changes"]]
    files = {c.path: c.blob for c in own if c.blob and scope_of(c.path) == scope} | dict(first.meta.get("siblings", {}))
    return Manifest(repository, commit.sha, first.meta, own, files, bodies)


def _pages(bundle: Bundle, first: Part) -> list[Part]:
    more = [p for p in bundle.parts if p.meta.get("manifest") == "more"]
    return [first, *sorted(more, key=lambda p: p.url)]


def covered(manifest: Manifest, unread: set[str]) -> frozenset[str] | None:
    """Paths a set speaks for, without the files that could not be read: their old rows stay.

    None where it speaks for its whole view.
    """
    shown = {p for p in manifest.files if kind_of(p) != "config"}
    if manifest.changes is None:
        return frozenset(shown - unread) if unread else None
    touched = {p for c in manifest.changes for p in (c.path, c.previous) if p}
    return frozenset({p for p in touched | shown if kind_of(p) not in ("config", None)} - unread)
