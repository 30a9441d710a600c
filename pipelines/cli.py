"""The command line. Exit codes: see EXIT_CODES; they stand in `megawatch --help` too."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import duckdb

from pipelines.lake import LakeError, utc
from pipelines.settings import Settings, SettingsError, load_settings
from pipelines.sources.base import GOOD_OUTCOMES
from pipelines.sources.curated.pages import RESOURCE as WATCHED_PAGE
from pipelines.sources.registry import SOURCES
from pipelines.tables.common import PROVENANCES
from pipelines.terminal import say, show_table

if TYPE_CHECKING:
    from pipelines.refresh import Refresh

FAILED, USAGE, NOT_GOOD, STALE, BUSY = 1, 2, 3, 4, 5

EXIT_CODES = """\b
Exit codes:
  0  done; what sources could not deliver is told, old rows stay
  1  failed: nothing new was published, the lake cannot be used, or a curated file is wrong
  2  wrong command line or settings
  3  --strict, and a source did not end changed, unchanged or not_modified
  4  status --max-age, and a source is older than that
  5  another run holds the lake
"""


class Time(click.ParamType):
    """An ISO 8601 time, UTC where it names no zone."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dt.datetime:
        """Naive UTC."""
        try:
            return utc(str(value))
        except ValueError:
            self.fail(f"{value!r} is no time; write it like 2026-10-23T23:00:00Z", param, ctx)


class Day(click.ParamType):
    """A day, ISO 8601."""

    name = "day"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dt.date:
        """A date."""
        try:
            return dt.date.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value!r} is no day; write it like 2026-10-23", param, ctx)


def _end(message: str, code: int) -> None:
    say(message, err=True)
    sys.exit(code)


@contextlib.contextmanager
def _told() -> Iterator[Settings]:
    """The settings; errors people can act on become one message and an exit code."""
    from pipelines.warehouse import Busy, WarehouseError

    try:
        yield load_settings()
    except SettingsError as why:
        _end(str(why), USAGE)
    except Busy as why:
        _end(str(why), BUSY)
    except (LakeError, WarehouseError) as why:
        _end(str(why), FAILED)
    except OSError as why:
        _end(f"The lake cannot be used: {why}. What was published before stays as it is.", FAILED)
    except duckdb.Error as why:
        _end(f"The warehouse or the published file cannot be used ({why}). Run `megawatch rebuild`, which makes both anew from the lake.", FAILED)


@click.group(epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="megawatch")
def main() -> None:
    """Track what is published on serving LLMs to agents: AA-AgentPerf, the SGLang cookbook and InferenceX."""


@main.command()
@click.option("--source", "sources", multiple=True, type=click.Choice(list(SOURCES)), help="Only this source; may be given several times.")
@click.option("--at", type=Time(), help="Stamp captures with this time instead of now (replays, archives).")
@click.option("--force", is_flag=True, help="Ask again what was fetched well the same day.")
@click.option("--strict", is_flag=True, help=f"Exit {NOT_GOOD} unless every source ended changed, unchanged or not_modified.")
@click.option("--wait", "wait_s", type=click.FloatRange(min=0), default=0, show_default=True, help="Seconds to wait for another run to end.")
def refresh(sources: tuple[str, ...], at: dt.datetime | None, force: bool, strict: bool, wait_s: float) -> None:
    """Fetch the sources once, take in what changed, publish."""
    from pipelines.definitions import run_job
    from pipelines.progress import bar
    from pipelines.refresh import RefreshOptions

    with _told() as settings:
        run = run_job(settings, RefreshOptions(sources, at, force, bar, wait_s))
    reports = list(run.reports.values())
    counts = ("rows", "changed rows", "seconds")
    show_table(("source", "outcome", *counts), ((r.source, r.outcome, r.rows, r.changed_rows, f"{r.seconds:.1f}") for r in reports), right=counts)
    for report in reports:
        for problem in report.problems:
            say(f"{report.source}: {problem}")
    for failure in run.alert_failures:
        say(failure, err=True)
    for note in run.warehouse.notes:
        say(note)
    for name, why in run.failed_steps.items():
        say(f"{name} failed: {why}", err=True)
    _end_where_tables_failed(run)
    if any(s.outcome == "invalid" and s.last.resource != WATCHED_PAGE for r in reports if r.source == "curated" for s in r.snapshots):
        _end("A curated file cannot be used: see above. Its last good rows stay, and everything else was published.", FAILED)
    if strict and any(r.outcome not in GOOD_OUTCOMES or r.failures for r in reports):
        _end("Not every source ended well (--strict).", NOT_GOOD)


def _end_where_tables_failed(run: Refresh) -> None:
    for name, why in run.failed_tables.items():
        say(f"{name} could not be built and keeps its former rows: {why}", err=True)
    if not run.published or run.failed_tables:
        _end("Not everything could be published: see above.", FAILED)


@main.command()
def rebuild() -> None:
    """Throw the warehouse away and make it, and the published file, again from the lake."""
    from pipelines.progress import bar
    from pipelines.refresh import RefreshOptions, rebuilt

    with _told() as settings, rebuilt(settings, RefreshOptions(progress=bar, fetches=False, tells="nothing")) as run:
        path = run.build_all()
    say(f"Rebuilt {path}")
    _end_where_tables_failed(run)


@main.command()
@click.argument("snapshot")
@click.option("--reason", required=True, help="Why the change is real; kept with the snapshot.")
def accept(snapshot: str, reason: str) -> None:
    """Let SNAPSHOT through, which was held back because it lost too much against the one before."""
    from pipelines.refresh import RefreshOptions, opened
    from pipelines.refresh import accept as let_through

    if not reason.strip():
        raise click.BadParameter("say why the change is real", param_hint="--reason")
    with _told() as settings, opened(settings, RefreshOptions(fetches=False)) as run:
        done = let_through(run, snapshot, reason.strip())
        run.build_all()
    say(f"{snapshot}: {done.outcome}, {done.changed_rows} rows changed. {done.message or ''}".strip())
    _end_where_tables_failed(run)


@main.command()
@click.option("--max-age", "max_age_h", type=click.FloatRange(min=0), help=f"Exit {STALE} where a source's last success is older than this many hours.")
def status(max_age_h: float | None) -> None:
    """Show the settings, the lake, and how fresh each resource is."""
    from pipelines import reader

    with _told() as settings:
        show_table(("setting", "value", "from"), settings.described())
        with reader.opened(settings.lake) as con:
            about = reader.records(con, "SELECT * FROM about")[0]
            health = reader.records(con, "SELECT * FROM source_health ORDER BY source, resource")
            stale = reader.records(con, "SELECT * FROM table_status WHERE is_stale")
            has_tasks = reader.records(con, "SELECT 1 FROM table_status WHERE table_name = 'tasks'")
            tasks = reader.records(con, "SELECT text FROM tasks WHERE done_at IS NULL ORDER BY raised_at") if has_tasks else []
    say(f"\nLake: {about['lake_kind']}, " + (f"data to {about['data_to']:%Y-%m-%d %H:%M} UTC" if about["data_to"] else "no capture yet"))
    shown = [
        (
            row["source"],
            row["resource"],
            f"{row['last_success_at']:%Y-%m-%d %H:%M}" if row["last_success_at"] else "never",
            row["last_outcome"],
            row["consecutive_failures"],
            row["message"],
        )
        for row in health
    ]
    show_table(("source", "resource", "last success (UTC)", "last outcome", "failures", "message"), shown)
    for row in stale:
        say(f"{row['table_name']} is stale: {row['message']}")
    for task in tasks:
        say(f"To do: {task['text']}")
    if max_age_h is not None:
        limit = dt.datetime.now(dt.UTC).replace(tzinfo=None) - dt.timedelta(hours=max_age_h)
        latest: dict[str, dt.datetime | None] = dict.fromkeys(SOURCES)
        for row in health:
            at = row["last_success_at"]
            latest[row["source"]] = max(filter(None, (latest.get(row["source"]), at)), default=None)
        old = sorted(s for s, at in latest.items() if at is None or at < limit)
        if old:
            _end(f"Older than {max_age_h:g} hours: {', '.join(old)}.", STALE)


@main.command()
@click.argument("query")
@click.option("--as-of", type=Day(), help="Answer as the tables stood at the end of this day (UTC).")
@click.option("--format", "how", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True)
def sql(query: str, as_of: dt.date | None, how: str) -> None:
    """Ask the published file (read-only)."""
    from pipelines import reader

    with _told() as settings, reader.opened(settings.lake, as_of) as con:
        try:
            names, rows = reader.ask(con, query)
        except reader.QueryError as why:
            _end(str(why), FAILED)
    reader.show(names, rows, how)


@main.command()
@click.option("--since", type=Day(), help="Only what was seen on this day (UTC) or later.")
@click.option("--severity", type=click.Choice(["headline", "notable", "routine"]), default="notable", show_default=True, help="This and above.")
@click.option("--json", "as_json", is_flag=True, help="One JSON list instead of lines.")
def changes(since: dt.date | None, severity: str, as_json: bool) -> None:
    """Tell what changed, newest first."""
    from pipelines import reader

    wanted = ["headline", "notable", "routine"][: ["headline", "notable", "routine"].index(severity) + 1]
    query = (
        "SELECT event_id, kind, severity, source, entity, accelerator, summary, old_value, new_value, co_changed, "
        "happened_at, changed_after, detected_at, provisional, source_url "
        f"FROM change_events WHERE severity IN ({', '.join(repr(w) for w in wanted)}) AND detected_at >= DATE '{since or dt.date(1970, 1, 1)}' "
        "ORDER BY detected_at DESC, severity, event_id"
    )
    with _told() as settings, reader.opened(settings.lake) as con:
        names, rows = reader.ask(con, query)
        kind = reader.records(con, "SELECT lake_kind FROM about")[0]["lake_kind"]
    if as_json:
        reader.show(names, rows, "json")
        return
    if kind == "replay":
        say("(replay data)")
    for row in rows:
        event = dict(zip(names, row, strict=True))
        provisional = " (provisional)" if event["provisional"] else ""
        say(f"{event['detected_at']:%Y-%m-%d}  {event['severity']:<8}  {event['summary']}{provisional}")
    if not rows:
        say("Nothing of that severity since then.")


@main.command()
@click.option("--repair", is_flag=True, help="Mend what can be mended; keep aside what cannot.")
def doctor(repair: bool) -> None:
    """Check the stored bytes, the capture log, the warehouse and the published file."""
    from pipelines import doctor as checks
    from pipelines.lake import Lake
    from pipelines.progress import bar
    from pipelines.refresh import RefreshOptions, mended
    from pipelines.warehouse import lock

    with _told() as settings:
        lake = Lake(settings.lake)
        with lock(lake):
            findings = checks.examine(lake, bar)
        wrong = [f for f in findings if f.is_new]
        if repair and wrong:
            mended(settings, RefreshOptions(progress=bar, fetches=False, tells="nothing"), wrong)
    for line in checks.told(findings, repair):
        say(line)
    if not findings:
        say("Nothing is wrong: stored bytes, capture log, warehouse and published file are sound.")
    elif wrong and not repair:
        _end(f"{len(wrong)} things are wrong.", FAILED)
    elif not all(f.mendable for f in wrong):
        _end("What could not be mended is kept in <lake>/aside.", FAILED)


@main.command("import")
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--url", required=True, help="The public address the page was saved from.")
@click.option("--at", type=Time(), help="When a single file was saved; by default, and in a folder always, the time in the name.")
def import_(path: Path, url: str, at: dt.datetime | None) -> None:
    """Take in a page of Artificial Analysis saved by hand or found in an archive: PATH is a file or a folder of them."""
    from pipelines.importing import SOURCE, NotImportable, saved_pages, take_in
    from pipelines.progress import bar
    from pipelines.refresh import RefreshOptions, opened
    from pipelines.sources.artificial_analysis.importing import UnknownPage, known_page

    try:
        page = known_page(url)
        pages = saved_pages(path, at, dt.datetime.now(dt.UTC).replace(tzinfo=None))
    except (NotImportable, UnknownPage) as why:
        _end(str(why), USAGE)
    with _told() as settings, opened(settings, RefreshOptions(progress=bar, tells="silently")) as run:
        for file, time in bar(pages, len(pages), "importing"):
            take_in(run.lake, page, file, time)
        report = run.run_source(SOURCES[SOURCE], lambda collector: None)
        run.build_all()
    for problem in report.problems:
        say(problem)
    say(f"{len(pages)} pages imported: {len(report.snapshots)} snapshots, {report.changed_rows} rows changed, {report.seconds:.0f} s")
    _end_where_tables_failed(run)
    if report.outcome not in GOOD_OUTCOMES:
        _end("Some pages could not be used: see above. They are kept.", NOT_GOOD)


@main.group()
def backfill() -> None:
    """Load a source's own history; goes on where an earlier backfill stopped."""


@backfill.command("inferencex")
def backfill_inferencex() -> None:
    """Every run InferenceX still holds, 8 to 12 MB a model and workload."""
    _backfill("inferencex", lambda source, run: source.backfill(run))


@backfill.command("sglang")
@click.option("--since", type=Day(), required=True, help="Go back to this day.")
def backfill_sglang(since: dt.date) -> None:
    """Commits of the watched folders, newest first; GitHub's limits apply, so a token helps."""
    _backfill("sglang", lambda source, run: source.backfill(run, since))


def _backfill(name: str, collect: Callable[[Any, Any], None]) -> None:
    from pipelines.progress import bar
    from pipelines.refresh import RefreshOptions, opened

    source = SOURCES[name]
    with _told() as settings, opened(settings, RefreshOptions(progress=bar, tells="silently")) as run:
        report = run.run_source(source, lambda collector: collect(source, collector))
        run.build_all()
    for problem in report.problems:
        say(f"{name}: {problem}")
    say(f"{name}: {len(report.snapshots)} snapshots, {report.changed_rows} rows changed, {report.seconds:.0f} s")
    _end_where_tables_failed(run)
    if report.outcome not in GOOD_OUTCOMES or report.failures:
        _end("The backfill is not complete; run it again to go on.", NOT_GOOD)


@main.command()
@click.argument("name")
@click.option("--publisher", help="Who published the figures.")
@click.option("--url", help="Where they stand.")
@click.option("--published", type=Day(), help="The day of the newest figure.")
@click.option("--provenance", type=click.Choice(PROVENANCES), help="Who stands behind them.")
@click.option("--section", "sections", multiple=True, help="Kind of figure to enter: a table such as agentperf_results or prices; may be given several times.")
def add(name: str, publisher: str | None, url: str | None, published: dt.date | None, provenance: str | None, sections: tuple[str, ...]) -> None:
    """Write a template to enter a publication's figures by hand: <lake>/curated/NAME.yaml."""
    from pipelines.sources.curated.add import new_publication

    with _told() as settings:
        try:
            path = new_publication(
                settings.lake / "curated",
                name,
                publisher=publisher,
                url=url,
                published=published,
                provenance=provenance,
                sections=sections or ("agentperf_results",),
            )
        except (ValueError, FileExistsError) as why:
            _end(str(why), USAGE)
    say(f"Fill in {path}, then run `megawatch refresh --source curated`.")


@main.command()
@click.option("--to", type=click.Path(file_okay=False, path_type=Path), help="A folder that is not there yet or empty; megawatch-export here by default.")
def export(to: Path | None) -> None:
    """Write every published table as Parquet and CSV with its data dictionary, without what may not be redistributed."""
    from pipelines.datapackage import reason
    from pipelines.export import ExportError
    from pipelines.export import export as write

    with _told() as settings:
        try:
            done = write(settings.lake, to, SOURCES.values())
        except ExportError as why:
            _end(str(why), USAGE)
    say(f"{len(done.rows)} tables with {sum(done.rows.values())} rows written to {done.path}" + (" (replay data)" if done.is_replay else ""))
    for source, rows in done.left_out.items():
        say(f"{reason(SOURCES[source])}: {sum(rows.values()):,} rows of {len(rows)} tables.")


@main.command()
@click.option("--port", type=click.IntRange(1, 65535), default=8501, show_default=True, help="Port on this machine.")
def dashboard(port: int) -> None:
    """Open the dashboard, on this machine alone."""
    app = Path(__file__).resolve().parents[1] / "dashboard/app.py"
    options = {"server.port": port, "server.address": "localhost", "server.showEmailPrompt": "false", "browser.gatherUsageStats": "false"}
    with _told():
        os.execv(sys.executable, [sys.executable, "-m", "streamlit", "run", str(app), *(f"--{name}={value}" for name, value in options.items())])  # noqa: S606


if __name__ == "__main__":
    main()
