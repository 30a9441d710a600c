"""However the days arrive (forced twice, rebuilt, imported out of order), the events are the same and each alert goes out once."""

import datetime as dt
import json
import shutil
from collections import Counter

import duckdb
import pytest
import requests

from pipelines.importing import take_in
from pipelines.refresh import RefreshOptions, opened, rebuilt
from pipelines.settings import Settings
from pipelines.sources.artificial_analysis.importing import known_page
from pipelines.sources.registry import SOURCES
from tests.shared import ROOT, ReplayServer, needs_shared

pytestmark = [needs_shared, pytest.mark.slow]

DAYS = ("2026-10-16", "2026-10-23", "2026-11-05", "2026-11-19")
PAGES = ("/leaderboards/models", "/hardware-inference-stack/datacenter", "/benchmarks/hardware/configs", "/methodology/agentperf")


def at(day):
    return dt.datetime.fromisoformat(f"{day}T23:00:00")


def settings(lake, replay, *channels):
    urls = replay.urls
    return Settings(
        lake=lake,
        aa_url=urls["aa"],
        github_api_url=urls["github"],
        github_raw_url=urls["raw"],
        inferencex_url=urls["inferencex"],
        alert_urls=channels,
        _env_file=None,
    )


def refresh(chosen, day, force=False):
    with opened(chosen, RefreshOptions(at=at(day), force=force)) as run:
        for source in SOURCES.values():
            run.run_source(source)
        run.build_all()
        run.send_alerts()
    assert run.alert_failures == []


def events(lake, where="true"):
    """Ids of what is told, without what tells of single answers."""
    with duckdb.connect(str(lake / "published/tracker.duckdb"), read_only=True) as con:
        query = f"SELECT event_id FROM change_events WHERE kind NOT IN ('source_down', 'source_recovered') AND {where}"
        return Counter(r[0] for r in con.execute(query).fetchall())


@pytest.fixture(scope="module")
def replay():
    with ReplayServer(github_limit=1000) as server:
        yield server


@pytest.fixture(scope="module")
def plain(tmp_path_factory, replay):
    """A lake that saw each day once."""
    lake = tmp_path_factory.mktemp("plain")
    shutil.copytree(ROOT / "data_lake/curated", lake / "curated")
    for day in DAYS:
        replay.day(day)
        refresh(settings(lake, replay), day)
    return lake


def test_each_day_twice_with_force_and_a_rebuild_tell_the_same_and_alert_once(tmp_path, replay, plain, httpserver):
    shutil.copytree(ROOT / "data_lake/curated", tmp_path / "curated")
    httpserver.expect_request("/").respond_with_data("taken")
    chosen = settings(tmp_path, replay, f"json://127.0.0.1:{httpserver.port}/")
    for day in DAYS:
        replay.day(day)
        refresh(chosen, day)
        refresh(chosen, day, force=True)
    with rebuilt(chosen, RefreshOptions(fetches=False, tells="nothing")) as run:
        run.build_all()
    refresh(chosen, DAYS[-1])
    assert events(tmp_path) == events(plain)
    alerts = [json.loads(request.get_data()) for request, _ in httpserver.log]
    headlines = Counter(alert["message"] for alert in alerts if alert["title"].endswith("headline"))
    assert set(headlines.values()) == {1}
    assert len(headlines) == sum(events(plain, "severity = 'headline'").values())


def test_pages_imported_out_of_order_tell_what_they_would_have_told_in_order(tmp_path, replay, plain):
    saved = []
    for day in DAYS:
        replay.day(day)
        for path in PAGES:
            file = tmp_path / f"{path.strip('/').replace('/', '-')}-{day}.html"
            file.write_bytes(requests.get(replay.urls["aa"] + path, timeout=30).content)
            saved.append((path, file, day))
    lake = tmp_path / "lake"
    lake.mkdir()
    chosen = settings(lake, replay)
    for path, file, day in [*saved[1::2], *saved[0::2][::-1]]:
        with opened(chosen, RefreshOptions(tells="silently")) as run:
            take_in(run.lake, known_page("https://artificialanalysis.ai" + path), file, at(day))
    with opened(chosen, RefreshOptions(tells="silently")) as run:
        run.build_all()
    of_pages = "source = 'artificial_analysis'"
    assert events(lake, of_pages) == events(plain, of_pages)
    assert events(lake, "kind = 'correction'") == Counter()
