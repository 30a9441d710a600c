"""Thirty days of an analyst's tracker, with what happens in thirty days: three outages, an upgrade, a disaster, a page that stays open.

The days with news are those of `world_lake`, which saw each of them once and in peace; on the days between nothing changed
at the sources, and one of them is asked, to spare time. So the feeds must be the same.
"""

import json
import shutil

import pytest

from pipelines.refresh import RefreshOptions, rebuilt
from pipelines.sources.registry import SOURCES
from tests.chaos.receiver import Reader
from tests.chaos.tracker import Tracker
from tests.helpers.lakes import DAYS
from tests.shared import ROOT, ReplayServer, needs_shared

pytestmark = [needs_shared, pytest.mark.slow]

QUIET_DAYS = (
    *(f"2026-10-{day:02}" for day in (1, 2, 3, 4, 5, 6, 17, 18, 19, 21)),
    *(f"2026-11-{day:02}" for day in (6, 7, 8, 9, 13, 14, 15, 16, 17, 18)),
)
ALL_DAYS = sorted([*DAYS, *QUIET_DAYS])
IN_TURN = ("artificial_analysis", "sglang", "inferencex")
# One of three days, and two on days with news, over by the evening: before it, results cannot be read that configurations name.
OUTAGES = {
    **dict.fromkeys(("2026-10-01", "2026-10-02", "2026-10-03"), ("artificial_analysis", {"kind": "status", "status": 503, "site": "aa"})),
    "2026-10-20": ("sglang", {"kind": "reset", "site": "github"}),
    "2026-10-23": ("artificial_analysis", {"kind": "login", "site": "aa", "match": "/hardware"}),
}
UPGRADE, DISASTER = "2026-10-21", "2026-11-05"


def feed(lake):
    """What subscribers got, newest first: ids, words, dates, addresses."""
    return json.loads((lake / "published/changes.json").read_text())["items"]


def back_up(lake, backup):
    """As docs/operations.md says: the log first, then the bytes."""
    shutil.copytree(lake, backup, ignore=shutil.ignore_patterns("warehouse*", "published", ".lock", "blobs"))
    shutil.copytree(lake / "raw/blobs", backup / "raw/blobs")


def test_after_thirty_days_with_outages_an_upgrade_and_a_restore_the_feed_is_that_of_thirty_days_in_peace(tmp_path, world_lake, monkeypatch, httpserver):
    assert len(ALL_DAYS) == 30
    httpserver.expect_request("/").respond_with_data("taken")
    lake, backup = tmp_path / "lake", tmp_path / "backup"
    shutil.copytree(ROOT / "data_lake/curated", lake / "curated")
    with ReplayServer(github_limit=10_000) as replay, Reader(lake) as dashboard:
        tracker = Tracker(lake, replay, f"json://127.0.0.1:{httpserver.port}/")
        for number, day in enumerate(ALL_DAYS):
            replay.reset()
            replay.day(day)
            if day in OUTAGES:
                source, fault = OUTAGES[day]
                replay.fault(**fault)
                assert any(source in problem for problem in tracker.refresh_here(day, source, publishes=False))
                replay.reset()
            if day == UPGRADE:
                monkeypatch.setattr(SOURCES["artificial_analysis"], "parser_version", "the next", raising=False)
            if day == DISASTER:
                back_up(lake, backup)
            if day in DAYS:
                tracker.refresh_here(day, publishes=day in (DAYS[0], DISASTER, DAYS[-1]))
            elif day not in OUTAGES:
                tracker.refresh_here(day, IN_TURN[number % 3], publishes=False)
            if day == DISASTER:
                dashboard.excused.set()
                shutil.rmtree(lake)
                shutil.copytree(backup, lake)
                with rebuilt(tracker.settings, RefreshOptions(fetches=False, tells="nothing")) as run:
                    run.build_all()
                dashboard.excused.clear()
                tracker.refresh_here(day, publishes=False)
    assert dashboard.failures == []
    assert dashboard.reads > 30
    assert feed(lake) == feed(world_lake)
    assert len(feed(lake)) > 10
