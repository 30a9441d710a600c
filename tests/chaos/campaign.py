"""The campaign: weeks of replay days under faults, kills, damage and rivals, held against a quiet run of the same days.

    python -m tests.chaos.campaign --seed 1 --days 12

Every day is tried under a few random troubles and then once in peace, so everything was obtainable in the end. What
must hold afterwards: published tables equal the quiet run's (but for what tells of the troubles themselves), stored
bytes and log are sound, no event and no alert is there twice, every failed refresh said why.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import duckdb

from tests.shared import ROOT, ReplayServer

FAULTS = ("status", "truncate", "garbage", "empty", "login", "reset", "bomb", "redirect")
PAGES = {
    "aa": ("/", "/leaderboards", "/hardware", "/benchmarks", "/methodology", "/robots.txt"),
    "github": ("/",),
    "raw": ("/",),
    "inferencex": ("/", "/api/v1/benchmarks"),
}
TROUBLES = ("fault", "fault", "fault", "kill", "kill", "warehouse", "published", "rivals", "back")
# Tables and columns that tell of the troubles themselves, or of bytes that differ from one answer to the next.
OF_TROUBLE = ("snapshots", "source_health", "table_status", "about", "watches")
OF_BYTES = (
    "snapshot_id",
    "ended_by",
    "changed_after",
    "recorded_at",
    "detected_at",
    "event_id",
    "happened_at",
    "valid_from",
    "valid_to",
    "provisional",
    "version_id",
)


class Receiver:
    """A webhook that counts what it is told."""

    def __init__(self) -> None:
        self.got: list[str] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                receiver.got.append(body["message"])
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"json://127.0.0.1:{self.server.server_port}/"


@dataclass
class Reader:
    """A dashboard of sorts: keeps opening the published file; every failure counts."""

    published: Path
    failures: list[str] = field(default_factory=list)
    reads: int = 0
    stop: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        while not self.stop.wait(0.3):
            if not self.published.exists():
                continue
            try:
                with duckdb.connect() as con:
                    con.execute(f"ATTACH '{self.published}' AS tracker (READ_ONLY)")
                    con.execute("SELECT count(*) FROM tracker.main.operating_points").fetchone()
                self.reads += 1
            except duckdb.Error as why:
                if self.published.read_bytes()[:20] != DAMAGE[:20]:
                    self.failures.append(str(why))


DAMAGE = b"not a database at all" * 40


class Campaign:
    def __init__(self, seed: int, days: list[str], replay: ReplayServer, root: Path):
        self.chance, self.days, self.replay, self.root = random.Random(seed), days, replay, root
        self.receiver = Receiver()
        self.done: Counter[str] = Counter()
        self.unexplained: list[str] = []

    def env(self, lake: Path) -> dict[str, str]:
        return {**os.environ, **self.replay.env(lake), "MEGAWATCH_ALERT_URLS": self.receiver.url, "MEGAWATCH_ALERTS_A_RUN": "100"}

    def start(self, lake: Path, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "pipelines.cli", *arguments]
        return subprocess.Popen(command, cwd=ROOT, env=self.env(lake), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)

    def refresh(self, lake: Path, day: str, hour: int = 23, *more: str) -> int:
        process = self.start(lake, "refresh", "--at", f"{day}T{hour:02}:00:00Z", *more)
        said, errors = process.communicate(timeout=300)
        if process.returncode and not errors.strip():
            self.unexplained.append(f"{day}: exit {process.returncode} without a word")
        if "Traceback" in errors:
            self.unexplained.append(f"{day}: {errors[-800:]}")
        return process.returncode

    def trouble(self, kind: str, lake: Path, day: str) -> None:
        self.done[kind] += 1
        getattr(self, f"_{kind}")(lake, day)
        self.replay.reset()
        self.replay.day(day)

    def _fault(self, lake: Path, day: str) -> None:
        site = self.chance.choice(sorted(PAGES))
        kind = self.chance.choice(FAULTS)
        more = {"status": self.chance.choice((429, 500, 503))} if kind == "status" else {"location": "http://127.0.0.1:9/"} if kind == "redirect" else {}
        self.replay.fault(kind, site=site, match=self.chance.choice(PAGES[site]), times=self.chance.choice((1, 3, 9999)), **more)
        self.refresh(lake, day)

    def _kill(self, lake: Path, day: str) -> None:
        process = self.start(lake, "refresh", "--at", f"{day}T23:00:00Z")
        time.sleep(self.chance.uniform(0.5, 9))
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()

    def _warehouse(self, lake: Path, day: str) -> None:
        warehouse = lake / "warehouse.duckdb"
        if not warehouse.exists():
            return
        if self.chance.random() < 0.5:
            warehouse.unlink()
        else:
            with warehouse.open("r+b") as file:
                file.write(DAMAGE)

    def _published(self, lake: Path, day: str) -> None:
        published = lake / "published/tracker.duckdb"
        if published.exists():
            published.write_bytes(DAMAGE)

    def _rivals(self, lake: Path, day: str) -> None:
        first = self.start(lake, "refresh", "--at", f"{day}T23:00:00Z")
        second = self.start(lake, "refresh", "--at", f"{day}T23:00:00Z")
        codes = []
        for process in (first, second):
            process.communicate(timeout=300)
            codes.append(process.returncode)
        if sorted(codes) not in ([0, 0], [0, 5]):
            self.unexplained.append(f"{day}: two refreshes at once ended with {codes}")

    def _back(self, lake: Path, day: str) -> None:
        earlier = self.days[max(0, self.days.index(day) - 1)]
        self.replay.day(earlier)
        self.refresh(lake, earlier, 23)

    def walk(self, lake: Path, *, troubled: bool) -> None:
        shutil.copytree(ROOT / "data_lake/curated", lake / "curated")
        reader = Reader(lake / "published/tracker.duckdb")
        thread = threading.Thread(target=reader.run)
        thread.start()
        try:
            for day in self.days:
                self.replay.reset()
                self.replay.day(day)
                for _ in range(self.chance.choice((0, 1, 2)) if troubled else 0):
                    self.trouble(self.chance.choice(TROUBLES), lake, day)
                code = self.refresh(lake, day)
                if code:
                    self.unexplained.append(f"{day}: the refresh in peace ended with {code}")
        finally:
            reader.stop.set()
            thread.join()
        self.unexplained += [f"a reader failed: {f}" for f in reader.failures[:3]]


def contents(lake: Path) -> dict[str, Counter[str]]:
    """Rows of every published table as text, without what differs by nature."""
    with duckdb.connect(str(lake / "published/tracker.duckdb"), read_only=True) as con:
        con.execute("SET TimeZone = 'UTC'")
        tables = [r[0] for r in con.execute("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main'").fetchall() if r[0] not in OF_TROUBLE]
        found = {}
        for table in tables:
            columns = [r[0] for r in con.execute(f"DESCRIBE {table}").fetchall() if r[0] not in OF_BYTES]
            where = "WHERE kind NOT IN ('source_down', 'source_recovered', 'source_fields_changed', 'correction')" if table == "change_events" else ""
            shown = ", ".join(f'"{c}"' for c in columns)
            found[table] = Counter(map(str, con.execute(f"SELECT {shown} FROM {table} {where}").fetchall()))
    return found


def differences(quiet: dict[str, Counter[str]], troubled: dict[str, Counter[str]]) -> list[str]:
    found = []
    for table in sorted(set(quiet) | set(troubled)):
        lost, extra = quiet.get(table, Counter()) - troubled.get(table, Counter()), troubled.get(table, Counter()) - quiet.get(table, Counter())
        if lost or extra:
            example = next(iter(lost or extra))[:300]
            found.append(f"{table}: {sum(lost.values())} rows lost, {sum(extra.values())} more; such as {example}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--days", type=int, default=12)
    parser.add_argument("--keep", type=Path, help="leave the lakes in this folder")
    options = parser.parse_args()
    root = options.keep or Path(tempfile.mkdtemp(prefix="chaos-"))
    with ReplayServer(github_limit=5000) as replay:
        known = [d for d in replay.days() if "2026-06-12" <= d <= "2026-11-19"]
        first = random.Random(options.seed).randrange(max(1, len(known) - options.days + 1))
        days = known[first : first + options.days]
        campaign = Campaign(options.seed, days, replay, root)
        campaign.walk(root / "quiet", troubled=False)
        quiet_alerts = Counter(campaign.receiver.got)
        campaign.receiver.got.clear()
        campaign.walk(root / "troubled", troubled=True)
        wrong = campaign.unexplained + differences(contents(root / "quiet"), contents(root / "troubled"))
        alerts = Counter(campaign.receiver.got)
        wrong += [f"told {n} times: {message}" for message, n in alerts.items() if n > quiet_alerts.get(message, 1)]
        wrong += [f"never told: {message}" for message in quiet_alerts - alerts]
        with duckdb.connect(str(root / "troubled/published/tracker.duckdb"), read_only=True) as con:
            wrong += [
                f"event {r[0]} is there {r[1]} times"
                for r in con.execute("SELECT event_id, count(*) FROM change_events GROUP BY 1 HAVING count(*) > 1").fetchall()
            ]
        doctor = campaign.start(root / "troubled", "doctor")
        said, errors = doctor.communicate()
        if doctor.returncode:
            wrong.append(f"the doctor found: {said}{errors}")
    print(f"seed {options.seed}: {days[0]} to {days[-1]}, troubles {dict(campaign.done)}")
    for line in wrong:
        print("WRONG", line)
    print(f"{int(not wrong)} passed, {int(bool(wrong))} failed")
    if not options.keep and not wrong:
        shutil.rmtree(root)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
