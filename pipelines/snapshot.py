"""A snapshot: one answer, or one complete set of them, and what became of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pipelines.schema import Failure, canonical_json
from pipelines.sources.base import GOOD_OUTCOMES, Capture, Source
from pipelines.validate import Profile, is_drift
from pipelines.warehouse import Warehouse
from pipelines.wellformed import whole_text

MOST_SAID = 10_000

_OF_THE_ANSWER = ("headers", "attached")

_SNAPSHOT_KINDS = {
    **dict.fromkeys(
        ("snapshot_id", "source", "resource", "scope", "set_id", "outcome", "sha256", "url", "message", "accepted_reason", "content_sha256", "profile"), "text"
    ),
    **dict.fromkeys(("failures", "warnings", "shape", "parser_version"), "text"),
    **dict.fromkeys(("held_at", "captured_at"), "time"),
    **dict.fromkeys(("bytes", "parts", "rows", "changed_rows"), "int"),
    "read": "bool",
    "unmatched_names": "list",
}


@dataclass
class Snapshot:
    """One row of `snapshots`: what became of a set of captures."""

    captures: list[Capture]
    outcome: str = "changed"
    rows: int | None = None
    changed_rows: int = 0
    message: str | None = None
    accepted_reason: str | None = None
    content_sha256: str | None = None
    profile: Profile | None = None
    failures: list[Failure] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    shape: dict[str, Any] | None = None
    unmatched_names: list[str] = field(default_factory=list)

    @property
    def last(self) -> Capture:
        return max(self.captures, key=lambda c: c.captured_at)

    @property
    def snapshot_id(self) -> str:
        return self.captures[0].set_id

    @property
    def held_at(self) -> dt.datetime:
        """When it held: the source's own time (a commit's) or the first capture's."""
        return self.captures[0].effective_at or min(c.captured_at for c in self.captures)

    @property
    def is_repeat(self) -> bool:
        """Whether the site says that nothing changed since an earlier capture."""
        return all(c.outcome == "not_modified" for c in self.captures)

    @property
    def read_from(self) -> set[tuple[str, str | None, bool, str]]:
        """What it is read from: of every address the hash of its bytes, and what was noted with them (not how the site answered)."""
        return {(c.url, c.sha256, c.outcome == "removed", canonical_json({k: v for k, v in c.meta.items() if k not in _OF_THE_ANSWER})) for c in self.captures}

    @property
    def says_something(self) -> bool:
        """Whether there are bytes to read, of this or an earlier capture."""
        return all(c.ok for c in self.captures)

    def record(self, parser_version: str) -> dict[str, Any]:
        """As a row of history.snapshots."""
        last = self.last
        several = len(self.captures) > 1
        return {
            "snapshot_id": self.snapshot_id,
            "source": last.source,
            "resource": last.resource,
            "scope": last.scope,
            "set_id": last.set_id,
            "held_at": self.held_at,
            "captured_at": last.captured_at,
            "outcome": self.outcome,
            "sha256": None if several else last.sha256,
            "bytes": sum(c.bytes or 0 for c in self.captures),
            "url": last.url,
            "parts": len(self.captures),
            "read": self.says_something,
            "rows": self.rows,
            "changed_rows": self.changed_rows,
            "message": _told(self.message or last.message or "") or None,
            "accepted_reason": self.accepted_reason,
            "content_sha256": self.content_sha256,
            "profile": self.profile.as_json() if self.profile else None,
            "failures": whole_text(canonical_json([vars(f) for f in self.failures])) if self.failures else None,
            "warnings": canonical_json([_told(w) for w in self.warnings]) if self.warnings else None,
            "shape": whole_text(canonical_json(self.shape)) if self.shape is not None else None,
            "unmatched_names": [whole_text(name) for name in self.unmatched_names],
            "parser_version": parser_version,
        }


def _told(text: str) -> str:
    """A sentence for people as it can be stored: the source's own words in it may be of any length."""
    return whole_text(text if len(text) <= MOST_SAID else text[:MOST_SAID] + " …")


def sets_of(captures: Iterable[Capture]) -> list[Snapshot]:
    """Captures as sets: the answers of one set together (of one URL the latest), every failure on its own."""
    sets: dict[str, dict[str, Capture]] = {}
    failures = []
    for capture in captures:
        if capture.ok:
            sets.setdefault(capture.set_id, {})[capture.url] = capture
        else:
            failures.append(Snapshot([capture]))
    return [Snapshot(list(by_url.values())) for by_url in sets.values()] + failures


def note_snapshots(warehouse: Warehouse, source: Source, done: list[Snapshot], failing: set[str] | None = None) -> None:
    """Write what became of snapshots, and since when events are to be derived; call it inside a transaction.

    `failing` are the scopes whose last attempt failed; one that said nothing new and did not fail before is no event.
    """
    failed = {s.last.scope for s in done if s.outcome not in GOOD_OUTCOMES}
    telling = [s for s in done if failing is None or s.last.scope in failing | failed or s.outcome == "changed" or any(map(is_drift, s.warnings))]
    if telling:
        warehouse.con.execute("INSERT INTO history.events_due VALUES (?)", [min(c.captured_at for s in telling for c in s.captures)])
    warehouse.insert("history.snapshots", [s.record(source.parser_version) for s in done], _SNAPSHOT_KINDS)
