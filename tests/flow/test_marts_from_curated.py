"""A clean lake with nothing but the publications entered by hand: the article's figures come out of them alone."""

import datetime as dt
import shutil

import pytest

from pipelines import reader
from pipelines.refresh import RefreshOptions, opened
from pipelines.settings import load_settings
from pipelines.sources.registry import SOURCES
from tests.shared import ROOT

AT = dt.datetime(2026, 11, 1, 12)


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    """Rows of a query as lists of tuples, as of a day where one is given."""
    folder = tmp_path_factory.mktemp("curated")
    shutil.copytree(ROOT / "data_lake/curated", folder / "lake/curated")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("MEGAWATCH_LAKE", str(folder / "lake"))
        with opened(load_settings(), RefreshOptions(sources=("curated",), at=AT)) as run:
            run.run_source(SOURCES["curated"])
            run.build_all()
    assert run.failed_tables == {}

    def asked(query, as_of=None):
        with reader.opened(folder / "lake", as_of) as con:
            return [tuple(r.values()) for r in reader.records(con, query)]

    return asked


def test_the_top_point_is_0_667_percent_output_and_96_35_percent_cached_input(ask):
    ((output, cached, uncached, low, high),) = ask(
        "SELECT output_share, cached_input_share, uncached_input_share, cached_input_share_low, cached_input_share_high FROM token_split WHERE concurrency = 160"
    )
    assert (output, cached, uncached) == (pytest.approx(0.00667, abs=5e-6), pytest.approx(0.9635, abs=5e-5), pytest.approx(0.0298, abs=5e-5))
    assert (low, high) == (pytest.approx(178_252 / 185_382, abs=1e-5), pytest.approx(179_725 / 185_382, abs=1e-5))


def test_150_m_on_gb300_is_consistent_with_185382(ask):
    query = "SELECT implied_tok_s_gpu_low, implied_tok_s_gpu_high, implied_watts_per_accelerator, measured_tok_s_gpu, verdict FROM headline_crosscheck WHERE accelerator = 'GB300'"
    assert ask(query) == [(187_500, 225_000, pytest.approx(1236, abs=0.5), 185_382, "consistent")]


def test_mi355x_reaches_0_467_of_gb300(ask):
    ((ratio, comparability, differences),) = ask(
        "SELECT ratio, comparability, differences FROM system_gap WHERE model = 'Muse Spark Open' AND of_kind = 'agentperf' AND accelerator = 'MI355X' AND other_accelerator = 'GB300'"
    )
    assert (ratio, comparability) == (pytest.approx(0.467, abs=5e-4), "differs")
    assert any("NVFP4" in d and "MXFP4" in d for d in differences)


def test_costs_of_mi355x_grow_from_1_26_to_1_65_times_those_of_b300(ask):
    rows = ask(
        "SELECT interactivity_tok_s, round(ratio, 2) FROM system_gap WHERE of_kind = 'cost' AND accelerator = 'MI355X' AND other_accelerator = 'B300' ORDER BY 1"
    )
    assert rows == [(128, 1.26), (191, 1.63), (254, 1.65)]


def test_rent_against_own_goes_from_41_to_11_to_5_9_to_2_9_with_a_split_borrowed_from_gb300(ask):
    rows = ask(
        "SELECT price_basis, busy_share, round(ratio_naive), round(ratio_same_split, 1), split_source, split_accelerator, split_interactivity_tok_s FROM rent_vs_own "
        "WHERE accelerator = 'B300' AND own_interactivity_tok_s = 128 ORDER BY 1, 2 DESC"
    )
    borrowed = ("borrowed", "GB300", 40.9)
    assert rows[0] == ("owning", 1, 41, 11.1, *borrowed)
    assert rows[2:] == [("rental", 1, 41, 5.9, *borrowed), ("rental", 0.5, 41, 2.9, *borrowed)]


def test_an_agent_hour_at_57_5_agents_and_2_31_usd_costs_4_cents(ask):
    rows = ask(
        "SELECT DISTINCT round(usd_agent_hour, 3) FROM unit_costs WHERE agents_per_accelerator = 57.5 AND accelerator = 'GB300' AND price_basis = 'owning'"
    )
    assert rows == [(0.040,)]


def test_the_disagreements_of_the_article_are_there(ask):
    assert (61354, 91500, "launch results of June 2026, by the article's dating") in ask(
        "SELECT value, other_value, other_stated_date FROM disagreements WHERE fact = 'agents_per_mw' AND kind = 'agentperf_value'"
    )
    assert (20, 30) in ask("SELECT slo_p25_tok_s, other_slo_p25_tok_s FROM disagreements WHERE kind = 'service_level_label' AND accelerator = 'GB300'")
    assert {0.76, 0.3} in [set(r) for r in ask("SELECT value, other_value FROM disagreements WHERE fact = 'ttft_s'")]


def test_the_published_medians_stand_beside_the_listing(ask):
    rows = dict(ask("SELECT metric, published_median FROM model_peers WHERE slug = 'muse-spark-open' AND published_median IS NOT NULL"))
    assert rows == {"intelligence_index": 19, "output_tok_s": 75.4}


def test_four_of_the_five_published_points_are_held(ask):
    assert ask("SELECT published_points, measured_points, held_points, computed_coverage_ratio FROM published_subsets") == [(5, 43, 4, None)]


def test_on_1_july_the_june_figure_stands_alone_and_no_muse_row(ask):
    july = dt.date(2026, 7, 1)
    assert ask("SELECT value FROM agentperf_results WHERE accelerator = 'GB300' AND metric = 'agents_per_mw' AND slo_p25_tok_s = 20", july) == [(61354,)]
    for table in ("agentperf_results", "headline_crosscheck", "token_split", "rent_vs_own", "models"):
        assert ask(f"SELECT * FROM {table} WHERE model_key = 'muse-spark-open'", july) == []


def test_what_the_reader_reported_as_unknown_is_listed(ask):
    assert ask("SELECT count(*) FROM unmatched_names")[0][0] == ask("SELECT sum(unmatched_names) FROM source_health")[0][0]
