"""The one version mechanism: snapshots of a scope, in time order, become version rows.

For every table of a scope the rows of a snapshot are held against the live rows (those the scope's former snapshots
hold), by identity: the key columns, and the row's own date where it is dated.

- A new row opens a version; a change in a column marked `opens_version` closes the version and opens another; a row
  that a complete snapshot lacks is closed, or retracted (`Parsed.vanished`).
- A version starts at the snapshot's time. A row with date_source `published` starts at its `dated_from`; one with
  `run_date` does so only if that lies before the scope's first snapshot. One that vanished and is back starts at the
  snapshot's time like any other. `dated_to` ends a row; one that is told otherwise after its end is corrected for its
  whole period, as it holds at no later time.
- A snapshot that covers some parts of its scope closes rows of those parts alone; a row that turns up in another part
  has moved and goes on.

The work grows with the snapshot's rows, not with the history's: the live rows are read once, folded in memory, and
the difference is written in one transaction.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import Any

from pipelines.schema import Table, content_id
from pipelines.sources.base import Parsed
from pipelines.warehouse import Warehouse

_PLAIN = {str, float, int, bool, type(None)}


@dataclass(frozen=True)
class Moment:
    """When a snapshot held and was read."""

    snapshot_id: str
    source: str
    scope: str
    held_at: dt.datetime
    recorded_at: dt.datetime
    date_source: str
    started_at: dt.datetime
    last_seen_at: dt.datetime | None


@dataclass
class _Live:
    version_id: str
    content: tuple[Any, ...]
    valid_from: dt.datetime
    valid_to: dt.datetime | None
    part: str | None
    record: dict[str, Any] | None = None


@dataclass
class _Change:
    """What happens to a stored version: its end and what ended it (NULL while it is live), its part."""

    valid_to: dt.datetime | None
    ended_by: str | None
    part: str | None


@dataclass
class Timeline:
    """The versions of one table in one scope: live rows, those that ended after a start of their own, and what is to be written."""

    table: Table
    live: dict[str, _Live] = field(default_factory=dict)
    changes: dict[str, _Change] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    inserted: dict[str, dict[str, Any]] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)
    _identities: dict[tuple[Any, ...], str] = field(default_factory=dict)

    @property
    def is_touched(self) -> bool:
        """Whether there is anything to write."""
        return bool(self.changes or self.deleted or self.inserted)

    def apply(self, rows: list[dict[str, Any]], parsed: Parsed, moment: Moment, fetch_record: Any) -> int:
        """Fold one snapshot's rows in; returns how many versions it opened or closed."""
        touched = 0
        seen = set()
        for row in rows:
            dated = _dated_from(row, moment)
            identity = self._identity((*_values(row, self.table.key), _plain(dated)))
            seen.add(identity)
            touched += self._take(identity, row, dated, moment)
        for identity in [i for i, v in self.live.items() if i not in seen and (parsed.covers is None or v.part in parsed.covers)]:
            touched += self._vanish(identity, parsed.vanished, moment, fetch_record)
        return touched

    def _identity(self, key: tuple[Any, ...]) -> str:
        """Snapshot after snapshot names the same keys."""
        known = self._identities.get(key)
        if known is None:
            known = self._identities[key] = content_id(*key)
        return known

    def _take(self, identity: str, row: dict[str, Any], dated: dt.datetime | None, moment: Moment) -> int:
        content = _values(row, self.table.opening)
        former = self.live.get(identity)
        part, dated_to = row.get("part"), row.get("dated_to")
        if former and former.content == content:
            if former.part != part or former.valid_to != dated_to:
                former.part, former.valid_to = part, dated_to
                self._change(former, former.valid_to, None)
            return 0
        if former and dated_to is not None and former.valid_from < dated_to <= moment.held_at:
            self._drop(former)
            self._open(identity, row, content, former.valid_from, row["date_source"] if dated == former.valid_from else moment.date_source, moment)
            return 2
        starts_itself = not former and dated is not None and self._version_id(identity, dated, moment) not in self.ended
        if former:
            self._end(former, moment)
        if starts_itself:
            self._open(identity, row, content, dated or moment.held_at, row["date_source"], moment)
        else:
            self._open(identity, row, content, moment.held_at, moment.date_source, moment)
        return 2 if former else 1

    def _vanish(self, identity: str, how: str, moment: Moment, fetch_record: Any) -> int:
        former = self.live[identity]
        if how == "close":
            self._end(former, moment)
            del self.live[identity]
            return 1
        at = self.table.opening.index("status")
        if former.content[at] == "retracted":
            return 0
        record = dict(former.record or fetch_record(self.table, former.version_id))
        row = {n: record.get(n) for n in self.table.names} | {"status": "retracted", "part": former.part}
        self._end(former, moment)
        content = (*former.content[:at], "retracted", *former.content[at + 1 :])
        self._open(identity, row, content, moment.held_at, moment.date_source, moment)
        return 2

    def _end(self, former: _Live, moment: Moment) -> None:
        """Close a version; one that never held for any time is dropped."""
        at = moment.held_at
        if former.valid_from >= at:
            self._drop(former)
            return
        self._change(former, min(former.valid_to or at, at), moment.snapshot_id)

    def _drop(self, former: _Live) -> None:
        if self.inserted.pop(former.version_id, None) is None:
            self.deleted.add(former.version_id)
            self.changes.pop(former.version_id, None)

    def _change(self, former: _Live, valid_to: dt.datetime | None, ended_by: str | None) -> None:
        record = self.inserted.get(former.version_id)
        if record is not None:
            record.update(valid_to=valid_to, ended_by=ended_by, live=ended_by is None, part=former.part)
        else:
            self.changes[former.version_id] = _Change(valid_to, ended_by, former.part)
        if ended_by is not None:
            self.ended.add(former.version_id)

    def _version_id(self, identity: str, valid_from: dt.datetime | None, moment: Moment) -> str:
        return content_id(self.table.name, moment.source, moment.scope, identity, _plain(valid_from))

    def _open(self, identity: str, row: dict[str, Any], content: tuple[Any, ...], valid_from: dt.datetime, date_source: str, moment: Moment) -> None:
        version_id = self._version_id(identity, valid_from, moment)
        record = {
            **row,
            "valid_from": valid_from,
            "valid_to": row.get("dated_to"),
            "date_source": date_source,
            "changed_after": moment.last_seen_at if valid_from == moment.held_at else None,
            "recorded_at": moment.recorded_at,
            "scope": moment.scope,
            "snapshot_id": moment.snapshot_id,
            "ended_by": None,
            "version_id": version_id,
            "part": row.get("part"),
            "identity": identity,
            "live": True,
        }
        self.inserted[version_id] = record
        self.live[identity] = _Live(version_id, content, valid_from, row.get("dated_to"), row.get("part"), record)


def _dated_from(row: dict[str, Any], moment: Moment) -> dt.datetime | None:
    """The row's own start, where it counts."""
    dated: dt.datetime | None = row.get("dated_from")
    if dated is None or (row.get("date_source") == "run_date" and dated >= moment.started_at):
        return None
    return dated


def _values(row: dict[str, Any], columns: tuple[str, ...]) -> tuple[Any, ...]:
    """A row's values of some columns, plain."""
    values = tuple(map(row.get, columns))
    return values if _PLAIN.issuperset(map(type, values)) else tuple(map(_plain, values))


def _plain(value: Any) -> Any:
    """A value as JSON and tuples can hold it, and as it comes back from the database."""
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, dt.datetime | dt.date):
        return value.isoformat()
    return value


def load(warehouse: Warehouse, table: Table, source: str, scope: str) -> Timeline:
    """The live rows of a scope, and which versions ended that had a start of their own."""
    opening = "".join(f', "{c}"' for c in table.opening)
    rows = warehouse.con.execute(
        f"SELECT identity, version_id, valid_from, valid_to, part{opening} FROM history.{table.name} WHERE live AND source = ? AND scope = ?",
        [source, scope],
    ).fetchall()
    live = {r[0]: _Live(r[1], tuple(_plain(v) for v in r[5:]), r[2], r[3], r[4]) for r in rows}
    ended = warehouse.con.execute(
        f"SELECT version_id FROM history.{table.name} WHERE NOT live AND date_source IN ('published', 'run_date') AND source = ? AND scope = ?",
        [source, scope],
    ).fetchall()
    return Timeline(table, live, ended={r[0] for r in ended})


def stored_record(warehouse: Warehouse, table: Table, version_id: str) -> dict[str, Any]:
    """A stored version whole."""
    (record,) = warehouse.rows(f"SELECT * FROM history.{table.name} WHERE version_id = ?", [version_id])
    return record


def store(warehouse: Warehouse, timeline: Timeline) -> None:
    """Write what a fold changed; call it inside a transaction."""
    if not timeline.is_touched:
        return
    name = f"history.{timeline.table.name}"
    if timeline.changes:
        records = [{"version_id": k, "ends": v.valid_to, "by_snapshot": v.ended_by, "in_part": v.part} for k, v in timeline.changes.items()]
        kinds = {"version_id": "text", "ends": "time", "by_snapshot": "text", "in_part": "text"}
        warehouse.con.execute("CREATE OR REPLACE TEMP TABLE changed (version_id VARCHAR, ends TIMESTAMP, by_snapshot VARCHAR, in_part VARCHAR)")
        warehouse.insert("changed", records, kinds)
        warehouse.con.execute(
            f"UPDATE {name} v SET valid_to = c.ends, ended_by = c.by_snapshot, live = c.by_snapshot IS NULL, part = c.in_part "
            "FROM changed c WHERE v.version_id = c.version_id"
        )
    if timeline.deleted:
        warehouse.con.execute(f"DELETE FROM {name} WHERE version_id IN (SELECT unnest(?))", [sorted(timeline.deleted)])
    warehouse.insert_versions(timeline.table, list(timeline.inserted.values()))
    warehouse.touch(timeline.table.name)


def clear(warehouse: Warehouse, table: Table, source: str, scope: str) -> None:
    """Forget the versions of a scope; call it inside a transaction that stores them anew."""
    warehouse.con.execute(f"DELETE FROM history.{table.name} WHERE source = ? AND scope = ?", [source, scope])
    warehouse.touch(table.name)
