"""A refresh whose time is set back sees its own past: it neither takes what came later for vanished nor changes what was told."""

import datetime as dt

import pytest

from tests.chaos.compare import contents, differences
from tests.helpers.lakes import FIELDS, refresh
from tests.shared import ReplayServer, needs_shared

pytestmark = [needs_shared, pytest.mark.slow]


@pytest.mark.parametrize(
    ("source", "days", "back"),
    [("sglang", ("2026-10-28", "2026-11-12"), "2026-11-05"), ("inferencex", ("2026-10-23", "2026-10-25", "2026-10-28"), "2026-10-26")],
)
def test_a_refresh_set_back_to_a_day_without_news_changes_nothing(tmp_path, source, days, back):
    lake = tmp_path / "lake"
    lake.mkdir()
    with ReplayServer(github_limit=1000) as server:
        urls = {FIELDS[site]: url for site, url in server.urls.items() if site in FIELDS}
        for day in days:
            server.day(day)
            refresh(lake, dt.datetime.fromisoformat(f"{day}T23:00:00"), source, build=day == days[-1], **urls)
        before = contents(lake)
        server.day(back)
        refresh(lake, dt.datetime.fromisoformat(f"{back}T23:00:00"), source, **urls)
    assert differences(before, contents(lake)) == []
    assert before["change_events"]
