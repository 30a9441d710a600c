"""How a scope stands: what its next snapshot is held against."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass, field
from typing import Any

from pipelines.schema import canonical_json
from pipelines.snapshot import Snapshot
from pipelines.sources.base import GOOD_OUTCOMES
from pipelines.validate import Profile, is_drift

AGREEING_SNAPSHOTS = 3

Said = tuple[int | None, dict[str, Any] | None, list[str], list[str]]


@dataclass
class Standing:
    """What the next snapshot of a scope is held against."""

    started_at: dt.datetime | None
    content_sha256: str | None = None
    profile: Profile | None = None
    seen_at: dt.datetime | None = None
    read_to: dt.datetime | None = None
    last: tuple[str, str | None] | None = None
    read_from: set[tuple[str, str | None, bool, str]] = field(default_factory=set)
    said: Said = (None, None, [], [])
    alike: list[str] = field(default_factory=list)

    def note(self, snapshot: Snapshot) -> None:
        if snapshot.outcome in GOOD_OUTCOMES:
            self.seen_at = snapshot.held_at
        if snapshot.outcome == "changed":
            self.started_at = self.started_at or snapshot.held_at
        if snapshot.outcome in ("changed", "unchanged"):
            self.content_sha256, self.profile = snapshot.content_sha256, snapshot.profile
        if snapshot.outcome != "not_modified":
            self.last, self.read_from = (snapshot.outcome, snapshot.message), snapshot.read_from
            lasting = [w for w in snapshot.warnings if not is_drift(w)]
            self.said = (snapshot.rows, snapshot.shape, lasting, snapshot.unmatched_names)
        self.alike = [*self.alike, canonical_json([vars(f) for f in snapshot.failures])] if snapshot.failures else []

    def agreement(self, snapshot: Snapshot) -> str:
        same = canonical_json([vars(f) for f in snapshot.failures])
        earlier = self.alike[1 - AGREEING_SNAPSHOTS :]
        if len(earlier) < AGREEING_SNAPSHOTS - 1 or any(e != same for e in earlier):
            return ""
        return f" The last {AGREEING_SNAPSHOTS} snapshots say the same. If the change is real: megawatch accept {snapshot.snapshot_id} --reason TEXT"


def said_before(row: dict[str, Any]) -> Said:
    """Rows, shape, warnings (those of drift are of that day alone) and unmatched names of a stored snapshot."""
    shape, warnings = (json.loads(row[k]) if row[k] else None for k in ("shape", "warnings"))
    return row["rows"], shape, [w for w in warnings or [] if not is_drift(w)], row["unmatched_names"] or []


def profile_from(text: str | None) -> Profile | None:
    """The profile as a snapshot's row holds it."""
    return Profile(**json.loads(text)) if text else None
