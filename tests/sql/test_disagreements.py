"""Who contradicts whom: figures of June and October 2026."""

import datetime as dt

import pytest

from tests.sql.world import agents

JUNE, OCTOBER = dt.datetime(2026, 6, 12), dt.datetime(2026, 10, 23)


def entered(publication, **more):
    return {"source": "curated", "origin": "curated", "publication": publication, "publisher": publication, "date_source": "published", **more}


def disagreements(world):
    return world.rows("SELECT * FROM disagreements ORDER BY value, other_value")


def test_61354_against_91500_both_dated_to_june(world):
    world.add("agentperf_results", agents("GB300", 61354.0, **entered("launch post", valid_from=JUNE)))
    told = entered("article", valid_from=OCTOBER, stated_date="launch results of June 2026")
    world.add("agentperf_results", agents("GB300", 91500.0, **told, slo_p95_ttft_s=None, qualifier="about"))
    (row,) = disagreements(world)
    assert (row["kind"], row["value"], row["other_value"], row["days_apart"]) == ("agentperf_value", 61354, 91500, 133)
    assert (row["publication"], row["other_publication"], row["other_stated_date"]) == ("launch post", "article", "launch results of June 2026")
    assert "133 days apart" in row["why"] and "launch results of June 2026" in row["why"]


@pytest.mark.parametrize(("rounded", "exact", "accelerator"), [(61400.0, 61354.0, "GB300"), (2600.0, 2594.0, "H200")])
def test_one_result_under_the_labels_of_20_and_30_tok_s(world, rounded, exact, accelerator):
    world.add("agentperf_results", agents(accelerator, exact, slo_p25_tok_s=20.0, **entered("launch post", valid_from=JUNE)))
    world.add("agentperf_results", agents(accelerator, rounded, slo_p25_tok_s=30.0, qualifier="about", **entered("vendor blog", valid_from=JUNE)))
    (row,) = disagreements(world)
    assert row["kind"] == "service_level_label"
    assert {row["slo_p25_tok_s"], row["other_slo_p25_tok_s"]} == {20, 30}
    assert row["why"] == "one result under two labels: 20 and 30 tok/s per user"


def test_a_figure_that_is_only_rounded_is_no_disagreement(world):
    world.add("agentperf_results", agents("GB300", 61354.0, **entered("launch post")), agents("GB300", 61400.0, **entered("vendor blog")))
    assert disagreements(world) == []


@pytest.mark.parametrize("apart", [{"accelerator": "B300"}, {"model": "Kimi K3"}, {"metric": "agents_per_accelerator"}, {"slo_p25_tok_s": 60.0}])
def test_other_keys_do_not_disagree(world, apart):
    world.add("agentperf_results", agents("GB300", 61354.0, **entered("one")), {**agents("GB300", 91500.0, **entered("other")), **apart})
    assert disagreements(world) == []


def test_one_publication_does_not_disagree_with_itself(world):
    world.add("agentperf_results", agents("GB300", 61354.0, system="NVL72", **entered("one")), agents("GB300", 40000.0, system="4x GB300", **entered("one")))
    assert disagreements(world) == []


LISTING = {"model_id": "m", "slug": "muse-spark-open", "name": "Muse Spark Open", "source": "artificial_analysis", "origin": "scraped"}


def offered(fact, value, unit, offer="provider 1"):
    return {"model": "Muse Spark Open", "fact": fact, "value": value, "value_text": fact, "unit": unit, "offer": offer, **entered("gateway")}


def test_ttft_of_0_76_s_on_the_listing_and_0_3_s_at_a_gateway(world):
    world.add("models", {**LISTING, "ttft_s": 0.76, "output_tok_s": 142.0})
    world.add("model_facts", offered("ttft_s", 0.3, "s"), offered("output_tok_s", 142.0, "tok/s"))
    (row,) = disagreements(world)
    assert (row["kind"], row["fact"], {row["value"], row["other_value"]}) == ("model_fact", "ttft_s", {0.76, 0.3})
    assert {row["offer"], row["other_offer"]} == {None, "provider 1"}
    assert "other work" in row["why"]


def test_two_offers_of_one_model_do_not_contradict_each_other(world):
    world.add("model_facts", offered("ttft_s", 0.3, "s"), {**offered("ttft_s", 0.6, "s", "provider 2"), "publication": "other gateway"})
    assert disagreements(world) == []


def test_list_prices_differ_by_more_than_half_a_cent(world):
    world.add("models", {**LISTING, "input_usd_mtok": 1.25, "output_usd_mtok": 4.25})
    hosted = {"price_basis": "hosted", "unit": "usd_mtok", "item": "Muse Spark Open", **entered("Venice")}
    world.add("prices", {**hosted, "component": "input", "seller": "Venice", "low": 1.56, "high": 1.56})
    world.add("prices", {**hosted, "component": "output", "seller": "Venice", "low": 4.25, "high": 4.25})
    (row,) = disagreements(world)
    assert (row["kind"], row["fact"], {row["value"], row["other_value"]}) == ("list_price", "input_usd_mtok", {1.25, 1.56})


def test_a_price_cut_to_1_00_is_no_rounding_of_1_25(world):
    world.add("models", {**LISTING, "input_usd_mtok": 1.0}, {**LISTING, "input_usd_mtok": 1.25, **entered("article", valid_from=JUNE)})
    (row,) = disagreements(world)
    assert (row["value"], row["other_value"], row["why"]) == (1.25, 1.0, "one listing at two times")


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        (61400, 61354, False),
        (2600, 2594, False),
        (0.76, 0.3, True),
        (142.9, 142, True),
        (142.9, 143, False),
        (70e6, 96e6, True),
        (150e6, 150e6, False),
        (1.0, 1.25, True),
    ],
)
def test_beyond_the_coarser_ones_rounding(world, one, other, differ):
    (row,) = world.rows(f"SELECT beyond_rounding({one}::DOUBLE, {other}::DOUBLE) AS here, beyond_rounding({other}::DOUBLE, {one}::DOUBLE) AS back")
    assert (row["here"], row["back"]) == (differ, differ)
