"""From captures to history: group captures into snapshots, parse, validate, compare, fold.

A scope's snapshots are taken in the order they held. One that arrives late (an import, a backfill) has its scope
derived anew, and only its scope; so any order of arrival gives the same tables.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import gc
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

from pipelines import history
from pipelines.lake import DAMAGED, DamagedBlob, Lake
from pipelines.schema import Failure, canonical_json
from pipelines.sources.base import GOOD_OUTCOMES, OK_OUTCOMES, ROBOTS, Bundle, Capture, Incomplete, NoData, Parsed, Part, Source, Unreadable
from pipelines.tables import TABLES
from pipelines.validate import Profile, comparison_failures, content_sha256, drift_warnings, is_drift, profile, rows_are_sound, schema_failures
from pipelines.warehouse import Warehouse
from pipelines.wellformed import whole_text

AGREEING_SNAPSHOTS = 3
BATCH = 32
MOST_SAID = 10_000


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


_FAILING = """
SELECT scope FROM history.snapshots WHERE source = ? AND scope IN (SELECT unnest(?)) GROUP BY resource, scope
HAVING arg_max(outcome, (captured_at, held_at, snapshot_id)) NOT IN ('changed', 'unchanged', 'not_modified')"""


def ingest(warehouse: Warehouse, source: Source, progress: Any = None) -> list[Snapshot]:
    """Take everything of a source that the lake holds and the warehouse does not know yet; returns the snapshots made."""
    warehouse.index()
    with _seldom_collected():
        return _taken(warehouse, source, progress)


@contextlib.contextmanager
def _seldom_collected() -> Iterator[None]:
    """Let Python look for garbage seldom: records of many snapshots are held at once, and going through them again and again costs a fifth of the time."""
    former = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*former)
        gc.unfreeze()


def _taken(warehouse: Warehouse, source: Source, progress: Any) -> list[Snapshot]:
    made = []
    for scope, grown in _to_derive(warehouse, source).items():
        made += [s for s in _Scope(warehouse, source, scope).derive() if s.snapshot_id in grown]
    for scope in _with_bytes_again(warehouse, source):
        _Scope(warehouse, source, scope).derive()
    pending = warehouse.captures(
        "source = ? AND NOT EXISTS (SELECT 1 FROM history.snapshots s WHERE s.source = captures.source AND s.snapshot_id = captures.set_id)", [source.name]
    )
    scopes: dict[str, list[Capture]] = {}
    for capture in pending:
        scopes.setdefault(capture.scope, []).append(capture)
    quiet: list[Snapshot] = []
    for scope in progress(scopes, len(scopes), f"reading {source.title}") if progress else scopes:
        made += _Scope(warehouse, source, scope, quiet).take(scopes[scope])
    if quiet:
        failing = {r["scope"] for r in warehouse.rows(_FAILING, [source.name, [s.last.scope for s in quiet]])}
        with warehouse.transaction():
            _note(warehouse, source, quiet, failing)
    return made


def _note(warehouse: Warehouse, source: Source, done: list[Snapshot], failing: set[str] | None = None) -> None:
    """Write what became of snapshots, and since when events are to be derived; call it inside a transaction.

    `failing` are the scopes whose last attempt failed; one that said nothing new and did not fail before is no event.
    """
    failed = {s.last.scope for s in done if s.outcome not in GOOD_OUTCOMES}
    telling = [s for s in done if failing is None or s.last.scope in failing | failed or s.outcome == "changed" or any(map(is_drift, s.warnings))]
    if telling:
        warehouse.con.execute("INSERT INTO history.events_due VALUES (?)", [min(c.captured_at for s in telling for c in s.captures)])
    warehouse.insert("history.snapshots", [s.record(source.parser_version) for s in done], _SNAPSHOT_KINDS)


def derive_again(warehouse: Warehouse, source: Source, scope: str) -> list[Snapshot]:
    """Derive a scope from all its captures anew, as after a decision."""
    warehouse.index()
    return _Scope(warehouse, source, scope).derive()


def _to_derive(warehouse: Warehouse, source: Source) -> dict[str, set[str]]:
    """Scopes whose snapshots are no longer what the lake says, each with those of its sets that gained captures since they were read.

    The others were read by another parser version, or a decision on one was recorded by a run that ended before it
    took effect.
    """
    rows = warehouse.rows(
        "WITH sets AS (SELECT set_id, scope, count(DISTINCT url) AS parts FROM lake.captures "
        "WHERE source = $source AND outcome IN (SELECT unnest($ok)) GROUP BY ALL) "
        "SELECT s.scope, s.snapshot_id, s.read AND sets.parts > s.parts AS has_grown FROM history.snapshots s LEFT JOIN sets USING (set_id, scope) "
        "WHERE s.source = $source AND (s.parser_version <> $parser OR s.read AND sets.parts > s.parts OR s.outcome = 'invalid' "
        "AND s.accepted_reason IS NULL AND s.content_sha256 IS NOT NULL AND s.snapshot_id IN (SELECT unnest($decided)))",
        {"source": source.name, "ok": list(OK_OUTCOMES), "parser": source.parser_version, "decided": list(warehouse.lake.accepted())},
    )
    scopes: dict[str, set[str]] = {}
    for row in rows:
        scopes.setdefault(row["scope"], set()).update([row["snapshot_id"]] if row["has_grown"] else [])
    return scopes


def _with_bytes_again(warehouse: Warehouse, source: Source) -> set[str]:
    """Scopes with a snapshot whose bytes were lost and are there again: asked anew, or put back from a backup."""
    rows = warehouse.rows(
        "SELECT s.scope, list(c.sha256) AS shas FROM history.snapshots s JOIN lake.captures c USING (source, scope, set_id) "
        "WHERE s.source = ? AND s.outcome = 'invalid' AND starts_with(s.message, ?) AND c.sha256 IS NOT NULL GROUP BY s.scope, s.snapshot_id",
        [source.name, DAMAGED],
    )
    return {row["scope"] for row in rows if all(map(warehouse.lake.has, row["shas"])) and all(_is_sound(warehouse.lake, s) for s in row["shas"])}


def _is_sound(lake: Lake, sha256: str) -> bool:
    try:
        lake.get(sha256)
    except DamagedBlob:
        return False
    return True


class _Scope:
    """One scope's snapshots. Those that changed nothing are put into `quiet`, to be written with those of other scopes."""

    def __init__(self, warehouse: Warehouse, source: Source, scope: str, quiet: list[Snapshot] | None = None):
        self.warehouse, self.source, self.scope, self.quiet = warehouse, source, scope, quiet
        self.lake: Lake = warehouse.lake

    def take(self, pending: list[Capture]) -> list[Snapshot]:
        sets = _sets(pending)
        telling = [s for s in sets if s.says_something]
        known = self._captures_of({s.snapshot_id for s in telling})
        telling = [replace(s, captures=known[s.snapshot_id]) for s in telling]
        failed = [s for s in sets if not s.says_something]
        for snapshot in failed:
            snapshot.outcome = snapshot.last.outcome
        if telling:
            last = self._one("SELECT max(held_at) AS at FROM history.snapshots WHERE source = ? AND scope = ? AND read")["at"]
            late = [s for s in telling if last is not None and s.held_at < last]
            if any(self._is_complete(s) for s in late):
                taken = {s.snapshot_id for s in sets}
                return [s for s in self.derive() if s.snapshot_id in taken]
            telling = [s for s in telling if last is None or s.held_at >= last]
        return self._fold(telling, failed, afresh=False)

    def _is_complete(self, snapshot: Snapshot) -> bool:
        """Whether a set that comes late is a snapshot at all; one that never was completed must not have its scope derived in every run."""
        self._parse(snapshot, _State(started_at=None))
        return snapshot.outcome != "pending"

    def derive(self) -> list[Snapshot]:
        captures = self.warehouse.captures("source = ? AND scope = ?", [self.source.name, self.scope])
        sets = _sets(captures)
        failed = [s for s in sets if not s.says_something]
        for snapshot in failed:
            snapshot.outcome = snapshot.last.outcome
        return self._fold([s for s in sets if s.says_something], failed, afresh=True)

    def _captures_of(self, set_ids: set[str]) -> dict[str, list[Capture]]:
        found: dict[str, list[Capture]] = {}
        for capture in self.warehouse.captures("source = ? AND scope = ? AND set_id IN (SELECT unnest(?))", [self.source.name, self.scope, sorted(set_ids)]):
            found.setdefault(capture.set_id, []).append(capture)
        return {k: _sets(v)[0].captures for k, v in found.items()}

    def _one(self, sql: str) -> dict[str, Any]:
        rows = self.warehouse.rows(sql, [self.source.name, self.scope])
        return rows[0] if rows else {}

    def _fold(self, telling: list[Snapshot], failed: list[Snapshot], *, afresh: bool) -> list[Snapshot]:
        state = _State(started_at=None) if afresh else self._state()
        timelines = _Timelines(self, afresh=afresh)
        decisions = self.lake.accepted()
        done = list(failed)
        for batch in self._batches(sorted(telling, key=lambda s: s.held_at), state):
            read = self._read(batch, state)
            sound = self._are_sound(batch, read, state)
            for snapshot in batch:
                parsed = read[id(snapshot)] if id(snapshot) in read else self._repeated(snapshot, state)
                if snapshot.outcome == "pending":
                    continue
                done.append(snapshot)
                if parsed is not None:
                    self._judge(snapshot, parsed, state, decisions.get(snapshot.snapshot_id), rows_sound=sound and id(snapshot) in read)
                    if snapshot.outcome == "changed":
                        self._apply(snapshot, parsed, state, timelines)
                        if parsed.covers is not None and not snapshot.changed_rows and state.started_at:
                            snapshot.outcome = "unchanged"
                state.note(snapshot)
        if self.quiet is not None and not afresh and not any(t.is_touched for t in timelines.values()):
            self.quiet += done
            return done
        with self.warehouse.transaction():
            if afresh:
                self.warehouse.con.execute("DELETE FROM history.snapshots WHERE source = ? AND scope = ?", [self.source.name, self.scope])
                for name in self.source.tables:
                    history.clear(self.warehouse, TABLES[name], self.source.name, self.scope)
            for timeline in timelines.values():
                history.store(self.warehouse, timeline)
            if done:
                _note(self.warehouse, self.source, done)
        return done

    def _read(self, batch: list[Snapshot], state: _State) -> dict[int, Parsed | None]:
        """What the snapshots of a batch say that are not known to say what the one before them says."""
        read = {}
        before = state.read_from
        for snapshot in batch:
            if not snapshot.is_repeat and snapshot.read_from != before:
                parsed = read[id(snapshot)] = self._parse(snapshot, state)
                snapshot.content_sha256 = content_sha256(parsed) if parsed else None
            before = snapshot.read_from
        return read

    def _are_sound(self, batch: list[Snapshot], read: dict[int, Parsed | None], state: _State) -> bool:
        """Whether the rows of what was read keep to their schemas. What says the same as the last accepted one, or as another, is not looked at again."""
        new = {s.content_sha256: parsed for s in batch if (parsed := read.get(id(s)))}
        new.pop(state.content_sha256, None)
        return rows_are_sound(new.values())

    def _state(self) -> _State:
        accepted = self._one(
            "SELECT content_sha256, profile FROM history.snapshots WHERE source = ? AND scope = ? AND outcome IN ('changed', 'unchanged') "
            "ORDER BY held_at DESC, captured_at DESC, rowid DESC LIMIT 1"
        )
        seen = self._one(
            "SELECT min(held_at) FILTER (outcome = 'changed') AS started_at, "
            "max(held_at) FILTER (outcome IN ('changed', 'unchanged', 'not_modified')) AS seen_at "
            "FROM history.snapshots WHERE source = ? AND scope = ? AND read"
        )
        recent = self.warehouse.rows(
            "SELECT set_id, outcome, message, failures, rows, shape, warnings, unmatched_names FROM history.snapshots "
            "WHERE source = ? AND scope = ? AND read AND outcome <> 'not_modified' ORDER BY held_at DESC, captured_at DESC, rowid DESC LIMIT ?",
            [self.source.name, self.scope, AGREEING_SNAPSHOTS],
        )
        state = _State(seen.get("started_at"), accepted.get("content_sha256"), _profile(accepted.get("profile")), seen.get("seen_at"))
        if recent:
            state.last = (recent[0]["outcome"], recent[0]["message"])
            state.read_from = Snapshot(self._captures_of({recent[0]["set_id"]})[recent[0]["set_id"]]).read_from
            state.said = _said_before(recent[0])
        state.alike = [r["failures"] for r in takewhile(lambda r: r["failures"], recent)][::-1]
        return state

    def _batches(self, ordered: list[Snapshot], state: _State) -> Iterator[list[Snapshot]]:
        """Snapshots to read at once: single ones until the scope has started, as a parser is told when it did."""
        at = 0
        while at < len(ordered):
            size = BATCH if state.started_at else 1
            yield ordered[at : at + size]
            at += size

    def _repeated(self, snapshot: Snapshot, state: _State) -> Parsed | None:
        """What a 304, or the same bytes again, say: nothing new or that the bytes are still bad; others than the last ones read are read."""
        if state.last is None or snapshot.read_from != state.read_from:
            return self._parse(snapshot, state)
        if snapshot.is_repeat:
            snapshot.outcome, snapshot.message = state.last if state.last[0] not in GOOD_OUTCOMES else ("not_modified", None)
            return None
        if state.last[0] not in GOOD_OUTCOMES:
            return self._parse(snapshot, state)
        snapshot.outcome, snapshot.content_sha256, snapshot.profile = "unchanged", state.content_sha256, state.profile
        snapshot.rows, snapshot.shape, snapshot.warnings, snapshot.unmatched_names = state.said
        return None

    def _parse(self, snapshot: Snapshot, state: _State) -> Parsed | None:
        """The parsed snapshot; None with the outcome set where there is none, `pending` where captures are missing."""
        started_at = state.started_at or snapshot.held_at
        try:
            parts = tuple(Part(c, b"" if c.outcome == "removed" else self.lake.get(c.sha256 or "")) for c in snapshot.captures)
            if snapshot.last.resource == ROBOTS:
                return Parsed({}, compared=False, may_be_empty=True, shape={"text": parts[0].body.decode("utf-8", "replace")[:4000]})
            return self.source.parse(Bundle(self.source.name, snapshot.last.resource, self.scope, snapshot.held_at, started_at, parts))
        except Incomplete:
            snapshot.outcome = "pending"
        except NoData as why:
            snapshot.outcome, snapshot.message = "no_data", str(why)
        except (Unreadable, DamagedBlob) as why:
            snapshot.outcome, snapshot.message = "invalid", str(why)
        except RecursionError:
            snapshot.outcome, snapshot.message = "invalid", "The bytes nest too deeply to be read. They are kept; the last good rows stay."
        except Exception as why:  # a parser's bug must not stop the run: the bytes are kept and the snapshot is reported
            told = f"The parser failed on these bytes ({type(why).__name__}: {why}). They are kept; the last good rows stay. Please report it."
            snapshot.outcome, snapshot.message = "invalid", told
        return None

    def _judge(self, snapshot: Snapshot, parsed: Parsed, state: _State, reason: str | None, *, rows_sound: bool) -> None:
        snapshot.profile, snapshot.warnings, snapshot.shape = profile(parsed), list(parsed.warnings), parsed.shape
        snapshot.unmatched_names = sorted(set(parsed.unmatched_names))
        snapshot.content_sha256 = snapshot.content_sha256 or content_sha256(parsed)
        snapshot.rows = sum(len(r) for r in parsed.rows.values())
        if state.profile and parsed.compared:
            snapshot.warnings += drift_warnings(snapshot.profile, state.profile)
        if snapshot.content_sha256 == state.content_sha256:
            snapshot.outcome = "unchanged"
            return
        failures = schema_failures(parsed, rows_sound=rows_sound)
        if state.profile and parsed.compared and reason is None:
            failures += comparison_failures(snapshot.profile, state.profile, complete=parsed.covers is None)
        if reason is None:
            failures += [Failure(", ".join(parsed.rows), "", suspicion, "", "") for suspicion in parsed.suspicions]
        if failures:
            snapshot.outcome, snapshot.failures = "invalid", failures
            snapshot.message = _said(failures) + state.agreement(snapshot)
        snapshot.accepted_reason = reason

    def _apply(self, snapshot: Snapshot, parsed: Parsed, state: _State, timelines: _Timelines) -> None:
        moment = history.Moment(
            snapshot_id=snapshot.snapshot_id,
            source=self.source.name,
            scope=self.scope,
            held_at=snapshot.held_at,
            recorded_at=snapshot.last.captured_at,
            date_source=snapshot.captures[0].date_source,
            started_at=state.started_at or snapshot.held_at,
            last_seen_at=state.seen_at,
        )
        for table, rows in parsed.rows.items():
            fetch = lambda t, v: history.stored_record(self.warehouse, t, v)  # noqa: E731
            snapshot.changed_rows += timelines[table].apply(rows, parsed, moment, fetch)


class _Timelines(dict[str, history.Timeline]):
    """The timelines of a scope's tables, each loaded when it is first asked for."""

    def __init__(self, scope: _Scope, *, afresh: bool):
        super().__init__()
        self.scope, self.afresh = scope, afresh

    def __missing__(self, name: str) -> history.Timeline:
        scope, table = self.scope, TABLES[name]
        self[name] = history.Timeline(table) if self.afresh else history.load(scope.warehouse, table, scope.source.name, scope.scope)
        return self[name]


@dataclass
class _State:
    """What the next snapshot of a scope is held against."""

    started_at: dt.datetime | None
    content_sha256: str | None = None
    profile: Profile | None = None
    seen_at: dt.datetime | None = None
    last: tuple[str, str | None] | None = None
    read_from: set[tuple[str, str | None, bool, str]] = field(default_factory=set)
    said: _Said = (None, None, [], [])
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


_Said = tuple[int | None, dict[str, Any] | None, list[str], list[str]]


def _said_before(row: dict[str, Any]) -> _Said:
    """Rows, shape, warnings (those of drift are of that day alone) and unmatched names of a stored snapshot."""
    shape, warnings = (json.loads(row[k]) if row[k] else None for k in ("shape", "warnings"))
    return row["rows"], shape, [w for w in warnings or [] if not is_drift(w)], row["unmatched_names"] or []


def _profile(text: str | None) -> Profile | None:
    return Profile(**json.loads(text)) if text else None


def _said(failures: list[Failure]) -> str:
    shown = "; ".join(str(f) for f in failures[:3])
    more = f"; and {len(failures) - 3} more" if len(failures) > 3 else ""
    return f"{shown}{more}. The bytes are kept; the last good rows stay."


def _sets(captures: Iterable[Capture]) -> list[Snapshot]:
    """Captures as sets: the answers of one set together (of one URL the latest), every failure on its own."""
    sets: dict[str, dict[str, Capture]] = {}
    failures = []
    for capture in captures:
        if capture.ok:
            sets.setdefault(capture.set_id, {})[capture.url] = capture
        else:
            failures.append(Snapshot([capture]))
    return [Snapshot(list(by_url.values())) for by_url in sets.values()] + failures
