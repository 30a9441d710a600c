"""The campaign: weeks of replay days under faults, kills, damage and rivals, held against a quiet run of the same days.

    python -m tests.chaos.campaign --seed 1 --days 5

Every day meets a few troubles at random and then a refresh in peace, so everything was obtainable in the end. What
must hold afterwards: published tables equal the quiet run's (but for what tells of the troubles themselves), no capture
is lost, no event and no alert is doubled or missing, every failure was told, the doctor finds nothing, and a rebuild
gives the same rows.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

from tests.chaos.compare import alert_differences, contents, differences, doubled_events
from tests.chaos.receiver import Reader, Receiver
from tests.chaos.tracker import Tracker
from tests.chaos.troubles import Troubles, small_disk
from tests.shared import ROOT, SHARED, ReplayServer

OF_THE_TESTS = ("MEGAWATCH_SHARED", "MEGAWATCH_REQUIRE_SHARED")
FIRST_DAY, LAST_DAY = "2026-06-12", "2026-11-19"


class Quiet:
    """The days as they are without any trouble: what is published and alerted, which pages are asked, how long the last refresh takes."""

    def __init__(self, lake: Path, days: list[str], replay: ReplayServer):
        receiver, asked = Receiver(), defaultdict(set)
        tracker = _with_curated_figures(Tracker(lake, replay, receiver.url))
        for day in days:
            replay.reset()
            replay.day(min(day, LAST_DAY))
            if day == days[-1]:
                self.refresh_s = tracker.refresh(day).seconds
            elif problems := tracker.refresh_here(day, publishes=False):
                print(f"{day}: the quiet refresh said: {problems}", flush=True)
            for entry in replay.log():
                asked[entry["site"]].add(entry["path"])
        self.pages = {site: sorted(paths) for site, paths in asked.items()}
        self.tables = contents(lake)
        self.alerts = Counter(receiver.sentences)


def campaign(seed: int, days: list[str], replay: ReplayServer, root: Path) -> list[str]:
    """Walk the days twice, in peace and in trouble; what does not hold, one line each."""
    closing = (dt.date.fromisoformat(days[-1]) + dt.timedelta(days=1)).isoformat()
    quiet = Quiet(root / "quiet", [*days, closing], replay)
    print(f"seed {seed}: {days[0]} to {days[-1]}, {len(days)} days; a quiet refresh takes {quiet.refresh_s:.1f} s", flush=True)
    receiver, lake = Receiver(), root / "troubled"
    with small_disk(lake) as own_disk, Reader(lake) as reader:
        if not own_disk:
            print("no disk can be mounted here, so none is filled")
        tracker = _with_curated_figures(Tracker(lake, replay, receiver.url))
        troubles = Troubles(seed, tracker, replay, reader, quiet.pages, quiet.refresh_s, own_disk=own_disk)
        wrong = _walk(troubles, days, closing)
        print(f"troubles: {dict(sorted(troubles.done.items()))}; {reader.reads} reads", flush=True)
        wrong += troubles.wrong + [f"a reader failed: {failure}" for failure in reader.failures[:3]]
        wrong += differences(quiet.tables, contents(lake)) + doubled_events(lake) + alert_differences(quiet.alerts, receiver.sentences)
        wrong += _after(tracker)
        if wrong:
            shutil.copytree(lake, root / "as it ended")
    return wrong


def _with_curated_figures(tracker: Tracker) -> Tracker:
    shutil.copytree(ROOT / "data_lake/curated", tracker.path / "curated")
    return tracker


def _walk(troubles: Troubles, days: list[str], closing: str) -> list[str]:
    """The days under troubles, each with a refresh in peace at its end; captures that went missing on the way."""
    tracker, replay = troubles.tracker, troubles.replay
    seen: set[str] = set()
    for number, day in enumerate([*days, closing]):
        replay.reset()
        replay.day(min(day, LAST_DAY))
        for _ in range(troubles.chance.choice((2, 3, 4)) if day != closing else 0):
            troubles.befall(day, days[max(number - 1, 0)])
            seen |= set(tracker.captures())
        problems = tracker.refresh_here(day)
        print(f"\n{day}: in peace" + (f", which said: {problems}" if problems else ""), flush=True)
        seen |= set(tracker.captures())
    gone = seen - set(tracker.captures()) - troubles.lost
    return [f"capture {capture_id} was lost" for capture_id in sorted(gone)[:5]]


def _after(tracker: Tracker) -> list[str]:
    wrong = []
    doctor = tracker.run_here("doctor")
    if doctor.code:
        wrong.append(f"at the end the doctor finds: {doctor.words}")
    before = contents(tracker.path, without_troubles=False)
    rebuild = tracker.run_here("rebuild")
    if rebuild.code:
        wrong.append(f"the rebuild: {rebuild.words}")
    return wrong + [f"after a rebuild {d}" for d in differences(before, contents(tracker.path, without_troubles=False))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--days", type=int, default=5, help="how many of the days on which something changes")
    parser.add_argument("--keep", type=Path, help="leave the lakes in this folder")
    options = parser.parse_args()
    if not (SHARED / "replay/serve.py").exists():
        print(f"There is no replay server in {SHARED}; MEGAWATCH_SHARED says where the shared material is.")
        return 2
    for name in [n for n in os.environ if (n.startswith("MEGAWATCH_") and n not in OF_THE_TESTS) or n == "GITHUB_TOKEN"]:
        del os.environ[name]
    root, started = options.keep or Path(tempfile.mkdtemp(prefix="chaos-")), time.monotonic()
    with ReplayServer(github_limit=100_000) as replay:
        known = [d for d in replay.days() if FIRST_DAY <= d <= LAST_DAY]
        first = random.Random(options.seed).randrange(max(1, len(known) - options.days + 1))
        wrong = campaign(options.seed, known[first : first + options.days], replay, root)
    for line in wrong:
        print("WRONG", line)
    print(f"{len(wrong)} things wrong after {time.monotonic() - started:.0f} s" + (f"; the lakes are in {root}" if wrong or options.keep else ""))
    if not options.keep and not wrong:
        shutil.rmtree(root)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
