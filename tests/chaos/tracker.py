"""`megawatch` over one lake of a campaign: commands as processes of their own, and quiet refreshes in this one."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from pipelines import changes, marts
from pipelines.cli import main
from pipelines.lake import Lake, utc
from pipelines.refresh import RefreshOptions, opened
from pipelines.sources.base import Capture
from pipelines.sources.registry import SOURCES
from pipelines.warehouse import WAREHOUSE, DatabaseError
from tests.helpers.lakes import FIELDS
from tests.helpers.process import environment
from tests.helpers.told_lake import settings
from tests.shared import ROOT, ReplayServer


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str
    seconds: float

    @property
    def words(self) -> str:
        return f"exit {self.code}: {self.out[-600:]}{self.err[-800:]}"


class Tracker:
    """One lake, pointed at the replay server and at a webhook."""

    def __init__(self, lake: Path, replay: ReplayServer, webhook: str):
        self.path, self.lake = lake, Lake(lake)
        self.settings = settings(lake, **{FIELDS[site]: url for site, url in replay.urls.items() if site in FIELDS}, alert_urls=(webhook,), alerts_a_run=100)
        self._env = environment(lake, **replay.env(lake), MEGAWATCH_ALERT_URLS=webhook, MEGAWATCH_ALERTS_A_RUN="100")

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "pipelines.cli", *arguments]
        return subprocess.Popen(command, cwd=ROOT, env=self._env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)

    def run(self, *arguments: str) -> Ended:
        started = time.monotonic()
        process = self.start(*arguments)
        out, err = process.communicate(timeout=600)
        return Ended(process.returncode, out, err, time.monotonic() - started)

    def run_here(self, *arguments: str) -> Ended:
        """The same in this process, which spares its start."""
        started = time.monotonic()
        done = CliRunner().invoke(main, arguments, env=self._env)
        crash = "" if done.exception is None or isinstance(done.exception, SystemExit) else f"Traceback: {done.exception!r}"
        return Ended(done.exit_code, done.stdout, done.stderr + crash, time.monotonic() - started)

    def refresh(self, day: str, *more: str, hour: int = 23) -> Ended:
        return self.run("refresh", "--at", at(day, hour), *more)

    def refresh_here(self, day: str, *sources: str, publishes: bool = True) -> list[str]:
        """A refresh in this process, which spares its start; without publishing it still tells events and sends alerts. What did not end well.

        As by the command, it is made again where the warehouse was found damaged and set aside.
        """
        warehouse = self.path / WAREHOUSE
        try:
            problems = self._refreshed(day, sources, publishes=publishes)
        except DatabaseError:
            if warehouse.exists():
                raise
        else:
            if warehouse.exists():
                return problems
        print("(on a warehouse made anew)", end=" ")
        return self._refreshed(day, sources, publishes=publishes)

    def _refreshed(self, day: str, sources: tuple[str, ...], *, publishes: bool) -> list[str]:
        with opened(self.settings, RefreshOptions(sources, utc(at(day)))) as run:
            for source in SOURCES.values():
                run.run_source(source)
            if publishes:
                run.build_all()
            else:
                run.build(next(f for f in marts.sql_files() if f.name == changes.TABLE))
            run.send_alerts()
        problems = [f"{report.source}: {problem}" for report in run.reports.values() for problem in report.problems]
        return [*problems, *(f"{table}: {why}" for table, why in run.failed_tables.items()), *run.alert_failures]

    def captures(self) -> dict[str, Capture]:
        """What the log holds, by id."""
        return {c.capture_id: c for _, _, _, c in self.lake.lines({}) if c is not None}


def at(day: str, hour: int = 23) -> str:
    """A time as `--at` takes it."""
    return f"{day}T{hour:02}:00:00Z"
