"""One refresh as plain functions: collect and ingest each source, build the tables, publish. Dagster only calls these."""

from __future__ import annotations

import contextlib
import datetime as dt
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pipelines import changes, marts
from pipelines.collector import Progress, SourceCollector
from pipelines.doctor import Finding, give_up, scopes_to_derive, set_aside
from pipelines.feeds import write_feeds
from pipelines.fetch import Fetcher
from pipelines.ingest import derive_again, ingest
from pipelines.lake import DamagedBlob, Lake, LakeError
from pipelines.notify import send
from pipelines.publish import publish
from pipelines.settings import Settings
from pipelines.snapshot import Snapshot
from pipelines.sources.base import GOOD_OUTCOMES, OUTCOMES, Source, StopSource
from pipelines.sources.registry import SOURCES
from pipelines.told import Stretch, add_corrections, begin_telling, end_telling, keep, tell
from pipelines.warehouse import DAMAGED_FILE, DatabaseError, Warehouse, fault, lock


@dataclass
class SourceReport:
    """What one source came to in a run."""

    source: str
    snapshots: list[Snapshot] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def outcome(self) -> str:
        """The worst outcome of its resources; `unchanged` where nothing had to be asked."""
        severity = {o: n for n, o in enumerate(("unchanged", "not_modified", "changed", *(o for o in OUTCOMES if o not in GOOD_OUTCOMES)))}
        return max((s.outcome for s in self.snapshots), key=severity.__getitem__, default="unchanged")

    @property
    def rows(self) -> int:
        return sum(s.rows or 0 for s in self.snapshots)

    @property
    def changed_rows(self) -> int:
        return sum(s.changed_rows for s in self.snapshots)

    @property
    def problems(self) -> list[str]:
        """One line for every reason for which resources did not end well, with those resources."""
        resources: dict[str, Counter[str]] = {}
        for snapshot in self.snapshots:
            if snapshot.outcome not in GOOD_OUTCOMES:
                reason = f"{snapshot.outcome}. {snapshot.message or snapshot.last.message or ''}".strip()
                resources.setdefault(reason, Counter())[snapshot.last.resource] += 1
        told = [f"{', '.join(f'{name} ({n} times)' if n > 1 else name for name, n in counted.items())}: {reason}" for reason, counted in resources.items()]
        return [*self.failures, *told]


def _place(error: BaseException) -> str:
    """Where in our own code an error came up."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if Path(f.filename).parent.is_relative_to(Path(__file__).parent)]
    return f"{Path(own[-1].filename).name} line {own[-1].lineno}" if own else "no place known"


def _asks_to_stop(error: Exception) -> bool:
    """Whether an error is DuckDB's word for a signal that reached the process in the middle of a query."""
    text = f"{type(error).__name__}: {error}"
    return any(sign in text for sign in ("Query interrupted", "InterruptedError", "KeyboardInterrupt"))


def no_progress(items: Iterable[Any], total: int, what: str) -> Iterator[Any]:
    """Yield the items and show nothing."""
    yield from items


@dataclass
class RefreshOptions:
    """How a run is asked for: which sources (all where none is named), at what time, whether to ask again.

    `tells`: a refresh announces what changed (`aloud`); an import or a backfill does not (`silently`); a rebuild or a
    repair tells nothing, the next refresh finds what is new or gone by it.
    """

    sources: tuple[str, ...] = ()
    at: dt.datetime | None = None
    force: bool = False
    progress: Progress = no_progress
    wait_s: float = 0
    fetches: bool = True
    tells: Literal["aloud", "silently", "nothing"] = "aloud"


@dataclass
class Refresh:
    """A run over an open, locked lake."""

    settings: Settings
    lake: Lake
    warehouse: Warehouse
    fetcher: Fetcher
    at: dt.datetime
    options: RefreshOptions
    reports: dict[str, SourceReport] = field(default_factory=dict)
    failed_tables: dict[str, str] = field(default_factory=dict)
    failed_steps: dict[str, str] = field(default_factory=dict)
    alert_failures: list[str] = field(default_factory=list)
    published: bool = False
    stretches: list[Stretch] = field(default_factory=list)

    def collector(self, source: Source) -> SourceCollector:
        """The collector of one source in this run."""
        return SourceCollector(source, self.warehouse, self.fetcher, self.settings, self.at, force=self.options.force, progress=self.options.progress)

    def run_source(self, source: Source, collect: Callable[[SourceCollector], None] | None = None) -> SourceReport:
        """Collect and ingest one source, unless the run is for others. Never raises for what a source does."""
        report, started = SourceReport(source.name), time.monotonic()
        if self.options.sources and source.name not in self.options.sources:
            return report
        self.reports[source.name] = report
        run = self.collector(source)
        self.fetcher.start_source(source.name)
        try:
            (collect or source.collect)(run)
        except StopSource as why:
            report.failures.append(f"Stopped early: {why}")
        except DamagedBlob as why:
            run.failed("collect", f"{source.name}:collect", "invalid", f"{source.title} was read no further. {why} What was fetched is kept.")
        except Exception as why:  # one source's bug must not stop the others; it is told, and the captures it made are kept
            if _asks_to_stop(why):
                raise KeyboardInterrupt from why
            run.failed(
                "collect",
                f"{source.name}:collect",
                "invalid",
                f"The reader of {source.title} failed ({type(why).__name__}: {why}, {_place(why)}). What it had fetched is kept. Please report it.",
            )
        run.ingest()
        report.snapshots = run.snapshots
        report.seconds = time.monotonic() - started
        return report

    def begin(self) -> None:
        """Note what this run announces, beside what a killed one had still to."""
        if self.options.tells != "nothing":
            self.stretches = begin_telling(self.lake, self.options.tells)

    def tell_changes(self) -> None:
        """Derive the events of what was taken in, and note them as told, unless that is left to the next refresh."""
        changes.derive(self.warehouse)
        if self.options.tells != "nothing":
            tell(self.warehouse, self.at, self.stretches)
            end_telling(self.lake)
        add_corrections(self.warehouse)

    def build(self, file: marts.SqlFile) -> int | None:
        """Build one published table; None where its SQL failed, which keeps its former table."""
        try:
            if file.name == changes.TABLE:
                self.tell_changes()
            return marts.build(self.warehouse, file)
        except Exception as why:  # one failed table must not freeze the others
            self.failed_tables[file.name] = str(why)
            marts.mark_stale(self.warehouse, file.name, str(why))
            return None

    def build_all(self) -> Path:
        """Every table, and the published file."""
        for file in marts.in_order():
            self.build(file)
        return self.publish()

    def publish(self) -> Path:
        """Swap in the published file."""
        path = publish(self.warehouse)
        write_feeds(self.warehouse)
        self.published = True
        return path

    def send_alerts(self) -> None:
        """Send what was told and is not sent yet to the channels in the settings; what fails is tried again next run."""
        self.alert_failures = send(self.warehouse, self.settings, self.at)


@contextlib.contextmanager
def opened(settings: Settings, options: RefreshOptions) -> Iterator[Refresh]:
    """Open a lake for one run, locked; bring the warehouse up to what the lake holds.

    Raises LakeError (the lake cannot be written, is of the other kind, or `at` lies in the future) and Busy.
    """
    now = dt.datetime.now(dt.UTC).replace(tzinfo=None, microsecond=0)
    if options.at is not None and options.at > now:
        raise LakeError(f"The capture time {options.at:%Y-%m-%d %H:%M} UTC lies in the future (now {now:%Y-%m-%d %H:%M} UTC). Nothing was fetched.")
    lake = Lake(settings.lake)
    lake.prepare()
    with lock(lake, options.wait_s):
        if options.fetches:
            lake.admit("replay" if settings.is_replay else "live")
        warehouse = Warehouse(lake)
        try:
            with Fetcher(settings) as fetcher:
                _catch_up(warehouse, settings, options.progress)
                if damaged := warehouse.count("lake.damaged_lines"):
                    warehouse.notes.append(
                        f"{damaged} lines of the capture log are damaged; what they told of is in no table. Run `megawatch doctor --repair`."
                    )
                run = Refresh(settings, lake, warehouse, fetcher, options.at or now, options)
                run.begin()
                yield run
        except DatabaseError:
            warehouse.close()
            _set_aside_where_damaged(warehouse)
            raise
        finally:
            warehouse.close()
        if run.failed_steps or run.failed_tables:
            _set_aside_where_damaged(warehouse)


def _set_aside_where_damaged(warehouse: Warehouse) -> None:
    """After a run in which something failed: a damaged warehouse would fail the next one too."""
    if fault(warehouse.lake, warehouse.path) == DAMAGED_FILE:
        warehouse.set_aside("was found damaged")


def _catch_up(warehouse: Warehouse, settings: Settings, progress: Progress) -> None:
    """Take in what the lake holds and the warehouse does not: all of it where the warehouse is new."""
    for source in SOURCES.values():
        ingest(warehouse, source, progress)
    warehouse.con.execute("SET VARIABLE target_speeds = ?", [list(settings.target_speeds)])
    marts.prepare(warehouse)
    changes.prepare(warehouse, settings)


@contextlib.contextmanager
def rebuilt(settings: Settings, options: RefreshOptions) -> Iterator[Refresh]:
    """Throw the warehouse away and open a new one, made from the lake.

    Raises LakeError and Busy.
    """
    lake = Lake(settings.lake)
    lake.prepare()
    with lock(lake, options.wait_s):
        for path in lake.root.glob("warehouse.duckdb*"):
            path.unlink()
    with opened(settings, options) as run:
        yield run


def mended(settings: Settings, options: RefreshOptions, findings: list[Finding]) -> None:
    """Set aside what the doctor found, make the warehouse anew where it must be, derive what rested on lost bytes, publish.

    Raises LakeError and Busy.
    """
    lake = Lake(settings.lake)
    with lock(lake, options.wait_s):
        scopes = scopes_to_derive(lake, findings)
        set_aside(lake, findings)
    with opened(settings, options) as run:
        for source, scope in sorted(scopes):
            derive_again(run.warehouse, SOURCES[source], scope)
        run.build_all()
        give_up(lake, findings)


def accept(run: Refresh, snapshot_id: str, reason: str) -> Snapshot:
    """Let a snapshot through that the comparison held back, and take it into history.

    Raises LakeError where there is no such snapshot or it was not held back by the comparison.
    """
    found = run.warehouse.rows("SELECT source, scope, captured_at, outcome, content_sha256 FROM history.snapshots WHERE snapshot_id = ?", [snapshot_id])
    if not found:
        raise LakeError(
            f"There is no snapshot {snapshot_id}. Those held back: "
            "megawatch sql \"select snapshot_id, resource, message from snapshots where outcome = 'invalid'\""
        )
    (snapshot,) = found
    if snapshot["outcome"] != "invalid" or snapshot["content_sha256"] is None:
        raise LakeError(
            f"Snapshot {snapshot_id} is {snapshot['outcome']} and was not held back by the comparison with the last accepted one; nothing was done."
        )
    run.stretches.append(Stretch(_log_before(run.warehouse, snapshot)))
    keep(run.lake, run.stretches)
    run.lake.decide(snapshot_id, reason, run.at)
    made = derive_again(run.warehouse, SOURCES[snapshot["source"]], snapshot["scope"])
    return next(s for s in made if s.snapshot_id == snapshot_id)


def _log_before(warehouse: Warehouse, snapshot: dict[str, Any]) -> dict[str, int]:
    """Bytes of the capture log up to a snapshot: what it and later ones brought is announced when it is let through."""
    query = "SELECT file, min(read_at) AS read_at FROM lake.captures WHERE source = ? AND scope = ? AND captured_at = ? GROUP BY ALL"
    (place,) = warehouse.rows(query, [snapshot["source"], snapshot["scope"], snapshot["captured_at"]])
    earlier = {file: size for file, size in warehouse.lake.log_sizes().items() if file < place["file"]}
    return earlier | {place["file"]: place["read_at"]}
