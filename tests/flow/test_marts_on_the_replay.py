"""The marts on the replayed sources, stepped through the days of the article and after."""

import datetime as dt
import shutil

import pytest

from pipelines import reader
from pipelines.refresh import RefreshOptions, opened
from pipelines.settings import load_settings
from pipelines.sources.registry import SOURCES
from tests.shared import ROOT, ReplayServer, needs_shared

pytestmark = [needs_shared, pytest.mark.slow]

DAYS = ("2026-06-12", "2026-09-30", "2026-10-23", "2026-11-05")
KEPT = ("headline_crosscheck", "system_gap", "disagreements", "rent_vs_own", "cost_at_interactivity", "token_split", "model_peers")


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    """The lake after the walk, and what the marts said on each day of it."""
    folder = tmp_path_factory.mktemp("replay")
    lake = folder / "lake"
    shutil.copytree(ROOT / "data_lake/curated", lake / "curated")
    said = {}
    with pytest.MonkeyPatch.context() as patch, ReplayServer(github_limit=5000) as server:
        patch.chdir(folder)
        for name, value in server.env(lake).items():
            patch.setenv(name, value)
        for day in DAYS:
            server.day(day)
            with opened(load_settings(), RefreshOptions(at=dt.datetime.fromisoformat(day) + dt.timedelta(hours=23))) as run:
                for source in SOURCES.values():
                    run.run_source(source)
                run.build_all()
            assert run.failed_tables == {}
            said[day] = {mart: rows(lake, f"FROM {mart}") for mart in KEPT}
    return lake, said


def rows(lake, query, as_of=None):
    with reader.opened(lake, as_of) as con:
        return sorted(map(str, (tuple(r.values()) for r in reader.records(con, query))))


def ask(lake, query, day=None):
    with reader.opened(lake, day and dt.date.fromisoformat(day)) as con:
        return [tuple(r.values()) for r in reader.records(con, query)]


def test_at_its_own_hit_rate_the_top_point_is_96_15_percent_cached_input(walked):
    ((output, cached, uncached),) = ask(
        walked[0],
        "SELECT output_share, cached_input_share, uncached_input_share FROM token_split WHERE source = 'sglang' AND scenario = 'aa_agentperf' AND concurrency = 160",
    )
    assert (output, cached, uncached) == (pytest.approx(0.00667, abs=5e-6), pytest.approx(0.9615, abs=5e-5), pytest.approx(0.0318, abs=5e-5))


def test_the_scraped_headline_is_consistent_with_the_scraped_point_once_a_power_is_published(walked):
    query = "SELECT measured_tok_s_gpu, round(implied_watts_per_accelerator), implied_tok_s_gpu_low, implied_tok_s_gpu_high, verdict FROM headline_crosscheck"
    query += " WHERE accelerator = 'GB300' AND origin = 'scraped' AND point_source = 'sglang'"
    assert ask(walked[0], query, "2026-10-23") == [(185_382, 1236, None, None, None)]
    assert ask(walked[0], query, "2026-10-24") == [(185_382, 1236, 187_500, 225_000, "consistent")]


@pytest.mark.parametrize(("day", "ratio", "configured_by"), [("2026-10-23", 0.467, "Artificial Analysis"), ("2026-11-05", 0.64, "AMD")])
def test_mi355x_against_gb300_before_and_after_amds_own_configuration(walked, day, ratio, configured_by):
    query = "SELECT ratio, differences FROM system_gap WHERE origin = 'scraped' AND metric = 'throughput_tok_s_mw' AND accelerator = 'MI355X' AND other_accelerator = 'GB300'"
    ((found, differences),) = ask(walked[0], query, day)
    assert found == pytest.approx(ratio, abs=5e-4)
    assert f"configured by {configured_by} against NVIDIA" in differences
    assert "weight format MXFP4 against NVFP4" in differences


def test_modelled_power_never_stands_beside_power_measured_at_the_accelerator(walked):
    assert ask(walked[0], "SELECT DISTINCT source FROM system_gap WHERE metric LIKE '%_mw'") in (
        [("artificial_analysis",), ("curated",)],
        [("curated",), ("artificial_analysis",)],
    )


def test_inferencex_with_its_own_split_gives_11_5(walked):
    query = "SELECT split_source, round(ratio_same_split, 1) FROM rent_vs_own WHERE source = 'inferencex' AND accelerator = 'B300' AND model_key = 'muse-spark-open'"
    query += " AND own_interactivity_tok_s = 128 AND busy_share = 1 AND price_basis = 'owning'"
    assert ask(walked[0], query, "2026-10-23") == [("own", 11.5)]


def test_as_of_past_days_answers_what_stood_then(walked):
    lake, _ = walked
    query = "SELECT value FROM agentperf_results WHERE origin = 'scraped' AND accelerator = 'GB300' AND metric = 'agents_per_mw' AND slo_p25_tok_s = 20"
    assert ask(lake, query, "2026-07-01") == [(61354,)]
    assert ask(lake, query, "2026-10-01") == [(91500,)]
    assert ask(lake, "SELECT * FROM agentperf_results WHERE model_key LIKE 'muse%'", "2026-10-01") == []


@pytest.mark.parametrize("day", DAYS[:-1])
@pytest.mark.parametrize("mart", KEPT)
def test_as_of_a_day_of_the_walk_equals_what_was_published_that_day(walked, mart, day):
    lake, said = walked
    assert rows(lake, f"FROM {mart}", dt.date.fromisoformat(day)) == said[day][mart]


def test_the_last_day_is_now(walked):
    lake, said = walked
    assert {mart: rows(lake, f"FROM {mart}", dt.date.fromisoformat(DAYS[-1])) for mart in KEPT} == said[DAYS[-1]]
