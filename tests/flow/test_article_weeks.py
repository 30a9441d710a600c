"""The weeks of the article, day by day, through every source: what an analyst is told, and that it is the same again."""

import datetime as dt
import shutil
from collections import Counter

import duckdb
import pytest

from pipelines.refresh import RefreshOptions, opened, rebuilt
from pipelines.settings import Settings
from pipelines.sources.registry import SOURCES
from tests.shared import ROOT, ReplayServer, needs_shared

pytestmark = [needs_shared, pytest.mark.slow]

DAYS = ("2026-10-08", "2026-10-15", "2026-10-16", "2026-10-20", "2026-10-22", "2026-10-23", "2026-11-05", "2026-11-12", "2026-11-19")


def refresh(settings, day, **how):
    at = dt.datetime.fromisoformat(f"{day}T23:00:00")
    with opened(settings, RefreshOptions(at=at, **how)) as run:
        for source in SOURCES.values():
            run.run_source(source)
        run.build_all()
    assert run.failed_tables == {}
    return run


def ask(lake, query):
    with duckdb.connect(str(lake / "published/tracker.duckdb"), read_only=True) as con:
        return con.execute(query).fetchall()


def contents(lake, leave_out=()):
    names = [r[0] for r in ask(lake, "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main' ORDER BY 1") if r[0] not in leave_out]
    return {n: Counter(map(str, ask(lake, f'FROM main."{n}"'))) for n in names}


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    """A lake walked through the article's weeks, with the settings that point at the replay."""
    lake = tmp_path_factory.mktemp("walk")
    shutil.copytree(ROOT / "data_lake/curated", lake / "curated")
    with ReplayServer(github_limit=1000) as replay:
        settings = Settings(
            lake=lake,
            aa_url=replay.urls["aa"],
            github_api_url=replay.urls["github"],
            github_raw_url=replay.urls["raw"],
            inferencex_url=replay.urls["inferencex"],
            _env_file=None,
        )
        for day in DAYS:
            replay.day(day)
            refresh(settings, day)
        yield lake, settings, replay


def test_every_headline_is_told_once_on_its_day_and_no_other(walked):
    lake, _, _ = walked
    told = ask(lake, "SELECT strftime(detected_at, '%m-%d'), kind, accelerator FROM change_events WHERE severity = 'headline' ORDER BY 1, 2, 3")
    assert told == [
        ("10-15", "entry_added", None),
        ("10-20", "first_results", "B300"),
        ("10-20", "first_results", "MI355X"),
        ("10-22", "deployments_merged", "GB300"),
        ("10-23", "entry_added", "B300"),
        ("10-23", "entry_added", "GB300"),
        ("10-23", "entry_added", "MI355X"),
        ("11-05", "configured_by_changed", "MI355X"),
        ("11-12", "gate_filled", "MI35x"),
        ("11-12", "gate_filled", "MI35x"),
        ("11-19", "metric_published", "B300"),
        ("11-19", "metric_published", "GB300"),
        ("11-19", "metric_published", "MI355X"),
        ("11-19", "price_changed", None),
    ]


def test_the_watches_are_answered_on_their_days_and_metas_stays_open(walked):
    lake, _, _ = walked
    states = dict(ask(lake, "SELECT name, coalesce(strftime(answered_at, '%m-%d'), state) FROM watches WHERE fires = 'once'"))
    assert states == {
        "agents-per-mw-muse-spark-open": "11-19",
        "amd-submitted-mi355x-muse-spark-open": "11-05",
        "mi35x-gate-filled-muse-spark-open": "11-12",
        "meta-serving-numbers": "open",
    }


def test_a_past_day_answers_as_it_was(walked):
    lake, _, _ = walked
    with duckdb.connect(str(lake / "published/tracker.duckdb"), read_only=True) as con:
        con.execute("SET VARIABLE as_of = DATE '2026-10-10'")
        query = "SELECT DISTINCT value FROM as_of.agentperf_results WHERE origin = 'scraped' AND metric = 'agents_per_mw' AND accelerator = 'GB300' AND slo_p25_tok_s = 20"
        assert con.execute(query).fetchall() == [(91500.0,)]
        assert con.execute("SELECT count(*) FROM as_of.agentperf_results WHERE origin = 'scraped' AND model LIKE 'Muse%'").fetchone() == (0,)


def test_half_of_nvidia_becomes_two_thirds_once_amd_configures(walked):
    lake, _, _ = walked
    with duckdb.connect(str(lake / "published/tracker.duckdb"), read_only=True) as con:
        ratios = {}
        for day in ("2026-10-23", "2026-11-06"):
            con.execute(f"SET VARIABLE as_of = DATE '{day}'")
            query = (
                "SELECT round(ratio, 3), list_filter(differences, lambda d: d LIKE '%configured by%') FROM as_of.system_gap "
                "WHERE origin = 'scraped' AND metric = 'throughput_tok_s_mw' AND accelerator = 'MI355X' AND other_accelerator = 'GB300'"
            )
            ratios[day] = con.execute(query).fetchall()
    assert [r[0] for r in ratios["2026-10-23"]] == [0.467]
    assert [r[0] for r in ratios["2026-11-06"]] == [0.64]
    assert all(r[1] for rows in ratios.values() for r in rows)


def test_the_same_day_again_adds_nothing_and_a_rebuild_gives_the_same_tables(walked):
    lake, settings, _ = walked
    before = contents(lake)
    refresh(settings, DAYS[-1])
    assert contents(lake) == before
    with rebuilt(settings, RefreshOptions(fetches=False, tells="nothing")) as run:
        run.build_all()
    after = contents(lake)
    assert {n for n in before if before[n] != after[n]} == set()
