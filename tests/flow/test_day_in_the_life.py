"""Thirty days of an analyst's tracker, with what happens in thirty days: three outages, an upgrade, a disaster, a page that stays open.

The days with news are those of `world_lake`, which saw each of them once and in peace; on the days between nothing changed
at the sources. So the feeds must be the same.
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
DOWN_FOR_THREE_DAYS = ("2026-10-01", "2026-10-02", "2026-10-03")
SIGN_IN_PAGE, GITHUB_DOWN = "2026-10-23", "2026-10-20"
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
        for day in ALL_DAYS:
            replay.reset()
            replay.day(day)
            if day in DOWN_FOR_THREE_DAYS:
                replay.fault("status", status=503, site="aa")
                assert any("artificial_analysis" in problem for problem in tracker.refresh_here(day, publishes=False))
                continue
            if day == SIGN_IN_PAGE:
                replay.fault("login", site="aa")
                assert any("artificial_analysis" in problem for problem in tracker.refresh_here(day, publishes=False))
            if day == GITHUB_DOWN:
                replay.fault("reset", site="github")
                assert any("sglang" in problem for problem in tracker.refresh_here(day, publishes=False))
            if day == UPGRADE:
                monkeypatch.setattr(SOURCES["artificial_analysis"], "parser_version", "the next", raising=False)
            if day == DISASTER:
                back_up(lake, backup)
            replay.reset()
            tracker.refresh_here(day, publishes=day in DAYS)
            if day == DISASTER:
                shutil.rmtree(lake)
                shutil.copytree(backup, lake)
                with rebuilt(tracker.settings, RefreshOptions(fetches=False, tells="silently")) as run:
                    run.build_all()
                tracker.refresh_here(day)
    assert dashboard.failures == []
    assert dashboard.reads > 30
    assert feed(lake) == feed(world_lake)
    assert len(feed(lake)) > 10
