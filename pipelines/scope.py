"""The snapshots of one scope, in the order they held: read, judged, folded into history.

One that arrives late (an import, a backfill) has its scope derived anew, so that any order of arrival gives the same tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile

from pipelines import history
from pipelines.lake import DamagedBlob, Lake
from pipelines.schema import Failure
from pipelines.snapshot import Snapshot, note_snapshots, sets_of
from pipelines.sources.base import GOOD_OUTCOMES, ROBOTS, Bundle, Capture, Incomplete, NoData, Parsed, Part, Source, Unreadable
from pipelines.standing import AGREEING_SNAPSHOTS, Standing, profile_from, said_before
from pipelines.tables import TABLES
from pipelines.validate import Content, comparison_failures, content, drift_warnings, profile, rows_are_sound, schema_failures
from pipelines.warehouse import Warehouse

BATCH = 32

_SEEN = """
SELECT min(held_at) FILTER (read AND outcome = 'changed') AS started_at, max(held_at) FILTER (read) AS read_to,
       max(held_at) FILTER (read AND outcome IN ('changed', 'unchanged', 'not_modified')) AS seen_at,
       arg_max({content_sha256: content_sha256, profile: profile}, (held_at, captured_at, rowid)) FILTER (outcome IN ('changed', 'unchanged')) AS accepted
FROM history.snapshots WHERE source = ? AND scope = ?"""


class Scope:
    """One scope's snapshots. Those that changed nothing are put into `quiet`, to be written with those of other scopes."""

    def __init__(self, warehouse: Warehouse, source: Source, scope: str, quiet: list[Snapshot] | None = None):
        self.warehouse, self.source, self.scope, self.quiet = warehouse, source, scope, quiet
        self.lake: Lake = warehouse.lake

    def take(self, pending: list[Capture]) -> list[Snapshot]:
        sets = sets_of(pending)
        telling = [s for s in sets if s.says_something]
        failed = [s for s in sets if not s.says_something]
        for snapshot in failed:
            snapshot.outcome = snapshot.last.outcome
        state = self._state()
        late = [s for s in telling if state.read_to is not None and s.held_at < state.read_to]
        if any(self._is_complete(s) for s in late):
            taken = {s.snapshot_id for s in sets}
            return [s for s in self.derive() if s.snapshot_id in taken]
        return self._fold([s for s in telling if s not in late], failed, state, afresh=False)

    def _is_complete(self, snapshot: Snapshot) -> bool:
        """Whether a set that comes late is a snapshot at all; one that never was completed must not have its scope derived in every run."""
        self._parse(snapshot, Standing(started_at=None))
        return snapshot.outcome != "pending"

    def derive(self) -> list[Snapshot]:
        captures = self.warehouse.captures("source = ? AND scope = ?", [self.source.name, self.scope])
        sets = sets_of(captures)
        failed = [s for s in sets if not s.says_something]
        for snapshot in failed:
            snapshot.outcome = snapshot.last.outcome
        return self._fold([s for s in sets if s.says_something], failed, Standing(started_at=None), afresh=True)

    def _fold(self, telling: list[Snapshot], failed: list[Snapshot], state: Standing, *, afresh: bool) -> list[Snapshot]:
        timelines = _Timelines(self, afresh=afresh)
        decisions = self.lake.accepted()
        done = list(failed)
        for batch in self._batches(sorted(telling, key=lambda s: s.held_at), state):
            read = self._read(batch, state)
            sound = self._are_sound(read.values(), state)
            for snapshot in batch:
                parsed = read[id(snapshot)][0] if id(snapshot) in read else self._repeated(snapshot, state)
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
                note_snapshots(self.warehouse, self.source, done)
        return done

    def _read(self, batch: list[Snapshot], state: Standing) -> dict[int, tuple[Parsed | None, Content | None]]:
        """What the snapshots of a batch say that are not known to say what the one before them says."""
        read = {}
        before = state.read_from
        for snapshot in batch:
            if not snapshot.is_repeat and snapshot.read_from != before:
                parsed = self._parse(snapshot, state)
                said = content(parsed) if parsed else None
                snapshot.content_sha256 = said.sha256 if said else None
                read[id(snapshot)] = (parsed, said)
            before = snapshot.read_from
        return read

    def _are_sound(self, read: Iterable[tuple[Parsed | None, Content | None]], state: Standing) -> bool:
        """Whether the rows of what was read keep to their schemas. What says the same as the last accepted one, or as another, is not looked at again."""
        new = {said.sha256: (parsed, said) for parsed, said in read if parsed and said}
        new.pop(state.content_sha256 or "", None)
        return rows_are_sound(new.values())

    def _state(self) -> Standing:
        (seen,) = self.warehouse.rows(_SEEN, [self.source.name, self.scope])
        recent = self.warehouse.rows(
            "SELECT set_id, outcome, message, failures, rows, shape, warnings, unmatched_names FROM history.snapshots "
            "WHERE source = ? AND scope = ? AND read AND outcome <> 'not_modified' ORDER BY held_at DESC, captured_at DESC, rowid DESC LIMIT ?",
            [self.source.name, self.scope, AGREEING_SNAPSHOTS],
        )
        accepted = seen["accepted"] or {}
        state = Standing(seen["started_at"], accepted.get("content_sha256"), profile_from(accepted.get("profile")), seen["seen_at"], seen["read_to"])
        if recent:
            state.last = (recent[0]["outcome"], recent[0]["message"])
            last = self.warehouse.captures("source = ? AND scope = ? AND set_id = ?", [self.source.name, self.scope, recent[0]["set_id"]])
            state.read_from = sets_of(last)[0].read_from
            state.said = said_before(recent[0])
        state.alike = [r["failures"] for r in takewhile(lambda r: r["failures"], recent)][::-1]
        return state

    def _batches(self, ordered: list[Snapshot], state: Standing) -> Iterator[list[Snapshot]]:
        """Snapshots to read at once: single ones until the scope has started, as a parser is told when it did."""
        at = 0
        while at < len(ordered):
            size = BATCH if state.started_at else 1
            yield ordered[at : at + size]
            at += size

    def _repeated(self, snapshot: Snapshot, state: Standing) -> Parsed | None:
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

    def _parse(self, snapshot: Snapshot, state: Standing) -> Parsed | None:
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

    def _judge(self, snapshot: Snapshot, parsed: Parsed, state: Standing, reason: str | None, *, rows_sound: bool) -> None:
        snapshot.profile, snapshot.warnings, snapshot.shape = profile(parsed), list(parsed.warnings), parsed.shape
        snapshot.unmatched_names = sorted(set(parsed.unmatched_names))
        snapshot.content_sha256 = snapshot.content_sha256 or content(parsed).sha256
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

    def _apply(self, snapshot: Snapshot, parsed: Parsed, state: Standing, timelines: _Timelines) -> None:
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

    def __init__(self, scope: Scope, *, afresh: bool):
        super().__init__()
        self.scope, self.afresh = scope, afresh

    def __missing__(self, name: str) -> history.Timeline:
        scope, table = self.scope, TABLES[name]
        self[name] = history.Timeline(table) if self.afresh else history.load(scope.warehouse, table, scope.source.name, scope.scope)
        return self[name]


def _said(failures: list[Failure]) -> str:
    shown = "; ".join(str(f) for f in failures[:3])
    more = f"; and {len(failures) - 3} more" if len(failures) > 3 else ""
    return f"{shown}{more}. The bytes are kept; the last good rows stay."
