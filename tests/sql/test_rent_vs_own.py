"""The steps from a naive 41 times to 2.9: the article's point, and InferenceX's row with a split of its own."""

import pytest

from tests.sql.test_system_gap import stated_cost
from tests.sql.world import COOKBOOK, cookbook_point

LISTING = {
    "model_id": "muse",
    "slug": "muse-spark-open",
    "name": "Muse Spark Open",
    "input_usd_mtok": 1.25,
    "output_usd_mtok": 4.25,
    "cache_discount_ratio": 0.88,
    "blend_7_2_1_usd_mtok": 0.78,
    "output_tok_s": 142.9,
    "source": "artificial_analysis",
    "origin": "scraped",
}
BY_HAND = {"source": "curated", "origin": "curated", "publication": "article"}


def hours(owning, rental, item="B300", **more):
    common = {"item": item, "component": "gpu_hour", "seller": "list", "unit": "usd_gpu_h", **BY_HAND, "publication": "prices", **more}
    return [{**common, "price_basis": b, "low": p, "high": p} for b, p in (("owning", owning), ("rental", rental))]


@pytest.fixture
def article(world):
    world.add("models", {**LISTING, **BY_HAND})
    world.add("stated_costs", stated_cost("B300", 128.0, 0.019))
    world.add("operating_points", *({**p, **BY_HAND, "publisher": "SGLang"} for p in COOKBOOK))
    world.add("prices", *hours(2.26, 4.25))
    return world


def steps(world, where="true"):
    rows = world.rows(f"SELECT * FROM rent_vs_own WHERE {where} ORDER BY price_basis, busy_share DESC")
    return {(r["price_basis"], r["busy_share"]): r for r in rows}


def test_the_articles_point_goes_from_41_to_11_to_5_9_to_2_9(article):
    found = steps(article)
    assert set(found) == {("owning", 1), ("owning", 0.5), ("rental", 1), ("rental", 0.5)}
    assert found["owning", 1]["ratio_naive"] == pytest.approx(41.05, abs=0.01)
    assert found["owning", 1]["ratio_same_split"] == pytest.approx(11.06, abs=0.01)
    assert found["rental", 1]["ratio_same_split"] == pytest.approx(5.88, abs=0.01)
    assert found["rental", 0.5]["ratio_same_split"] == pytest.approx(2.94, abs=0.01)
    assert {r["overhead_share"] for r in found.values()} == {0}


def test_a_borrowed_split_is_named_with_its_accelerator_and_both_speeds(article):
    row = steps(article)["owning", 1]
    assert (row["split_source"], row["split_accelerator"], row["split_interactivity_tok_s"]) == ("borrowed", "GB300", 40.9)
    assert (row["accelerator"], row["own_interactivity_tok_s"], row["hosted_output_tok_s"]) == ("B300", 128, 142.9)
    assert row["differences"][0] == "token split borrowed from GB300 at 40.9 tok/s per user (SGLang)"
    assert "one user sees 128 tok/s against 142.9 tok/s hosted" in row["differences"]


def test_a_stated_cost_is_priced_anew_at_rental_and_says_by_what(article):
    row = steps(article)["rental", 1]
    assert row["own_usd_mtok"] == pytest.approx(0.019 * 4.25 / 2.26)
    assert "$4.25 against $2.26" in row["repriced_from"]
    assert steps(article)["owning", 1]["repriced_from"] is None


def test_without_a_list_that_has_the_stated_hour_price_there_is_no_rental_step(article):
    article.add("stated_costs", stated_cost("MI355X", 128.0, 0.024))
    assert set(steps(article, "accelerator = 'MI355X'")) == {("owning", 1), ("owning", 0.5)}


def test_the_hit_rate_a_host_reports_stands_beside_that_of_the_split(article):
    fact = {"model": "Muse Spark Open", "fact": "cache_hit_ratio", "value": 0.94, "value_text": "94 %", "publisher": "Vercel", **BY_HAND}
    article.add("model_facts", fact)
    row = steps(article)["owning", 1]
    assert row["hosted_hit_ratio"] == 0.94
    assert "cache hit rate 97 % against 94 % hosted (Vercel)" in row["differences"]


def measured_at_128(**more):
    known = {"accelerator": "B300", "source": "inferencex", "origin": "api", "provenance": "evaluator_measured", "interactivity_kind": "p90_itl"}
    total = 1e6 * 2.26 / 3600 / 0.019
    split = {"output_tok_s_gpu": 0.0067 * total, "cache_hit_ratio": 0.962, "cache_hit_kind": "server", "scenario": "agentic_traces", "model": "Muse-Spark-Open"}
    return cookbook_point(96, 128.0, total, **{**known, **split, "point_id": "inferencex 128", "precision": "fp4", **more})


def test_inferencex_with_its_own_split_gives_11_5(world):
    world.add("models", LISTING)
    world.add("operating_points", measured_at_128(), *COOKBOOK)
    world.add("prices", *hours(2.26, 4.25, source="inferencex", origin="api", publication=None))
    row = steps(world, "own_interactivity_tok_s = 128")["owning", 1]
    assert (row["split_source"], row["split_point_id"], row["method"]) == ("own", "inferencex 128", "measured")
    assert row["ratio_same_split"] == pytest.approx(11.5, abs=0.05)
    assert steps(world, "own_interactivity_tok_s = 128")["rental", 1]["repriced_from"] is None


def test_a_measured_cost_without_a_hit_rate_borrows_and_says_from_where(world):
    world.add("models", LISTING)
    world.add("operating_points", measured_at_128(cache_hit_ratio=None, cache_hit_kind="missing"), *COOKBOOK)
    world.add("prices", *hours(2.26, 4.25, source="inferencex", origin="api", publication=None))
    row = steps(world, "own_interactivity_tok_s = 128")["owning", 1]
    assert (row["split_source"], row["split_accelerator"]) == ("borrowed", "GB300")
    assert row["differences"][0] == "token split borrowed from GB300 at 40.9 tok/s per user (sglang)"


def test_a_split_borrowed_at_the_very_speed_of_the_cost_is_said_to_be_borrowed_too(world):
    world.add("models", LISTING)
    borrowed_from = cookbook_point(50, 128.0, 90000.0, output_tok_s_gpu=600.0, cache_hit_ratio=0.97)
    world.add("operating_points", measured_at_128(cache_hit_ratio=None, cache_hit_kind="missing"), borrowed_from)
    world.add("prices", *hours(2.26, 4.25, source="inferencex", origin="api", publication=None))
    row = steps(world, "own_interactivity_tok_s = 128")["owning", 1]
    assert (row["method"], row["split_source"]) == ("measured", "borrowed")
    assert row["differences"][0] == "token split borrowed from GB300 at 128 tok/s per user (sglang)"


def test_no_split_means_no_like_for_like_ratio_and_says_so(world):
    world.add("models", {**LISTING, **BY_HAND})
    world.add("stated_costs", stated_cost("B300", 128.0, 0.019))
    world.add("operating_points", cookbook_point(64, 97.1, 114342.0))
    row = steps(world)["owning", 1]
    assert (row["split_source"], row["rent_usd_mtok_same_split"], row["ratio_same_split"]) == (None, None, None)
    assert row["ratio_naive"] == pytest.approx(41.05, abs=0.01)
    assert "no point of this model tells how its tokens split" in row["differences"]


def test_a_blend_that_is_not_stated_is_computed_and_one_without_a_cached_price_is_not(world):
    world.add("stated_costs", stated_cost("B300", 128.0, 0.019))
    world.add("models", {**LISTING, "blend_7_2_1_usd_mtok": None})
    row = steps(world)["owning", 1]
    assert (row["rent_usd_mtok_blended"], row["blended_from"]) == (pytest.approx(0.78), "computed")


def test_without_a_price_of_cached_input_neither_blend_nor_split_price_is_made_up(article):
    article.add("stated_costs", stated_cost("B300", 128.0, 0.019, model="Kimi K3"))
    article.add(
        "models", {**LISTING, "model_id": "f7d2fc3e-1f7b-405f-818c-07952a4af78f", "slug": "kimi-k3", "cache_discount_ratio": None, "blend_7_2_1_usd_mtok": None}
    )
    row = steps(article, "model_key = 'kimi-k3'")["owning", 1]
    assert (row["rent_usd_mtok_blended"], row["ratio_naive"], row["hosted_cached_input_usd_mtok"]) == (None, None, None)
    assert "no price of cached input is listed" in row["differences"]


def test_a_cost_of_a_model_no_one_hosts_is_not_set_against_anything(world):
    world.add("stated_costs", stated_cost("B300", 128.0, 0.019))
    assert world.rows("SELECT * FROM rent_vs_own") == []


def test_what_is_entered_by_hand_meets_the_listing_entered_by_hand_first(article):
    article.add("models", {**LISTING, "input_usd_mtok": 1.0, "blend_7_2_1_usd_mtok": 0.709})
    assert steps(article)["owning", 1]["hosted_origin"] == "curated"


def value(world, expression):
    (row,) = world.rows(f"SELECT ({expression})::DOUBLE AS value")
    return row["value"]


@pytest.mark.parametrize(
    ("expression", "right"),
    [
        ("blend(7, 2, 1, 0.15, 1.25, 4.25)", 0.78),
        ("own_usd_mtok(2.26, 33040.9357, 1, 0)", 0.019),
        ("own_usd_mtok(2.26, 33040.9357, 0.5, 0)", 0.038),
        ("own_usd_mtok(2.26, 33040.9357, 1, 0.25)", 0.02375),
        ("rent_usd_mtok(0.9635, 0.0298, 0.0067, 0.15, 1.25, 4.25)", 0.21025),
        ("cached_price(NULL, 1.25, 0.88)", 0.15),
        ("implied_tok_s_gpu(150e6, 1.25)", 187_500),
        ("implied_watts(185382, 150e6)", 1235.88),
    ],
)
def test_macros_take_the_users_own_figures(world, expression, right):
    assert value(world, expression) == pytest.approx(right, rel=1e-6)


def test_hardware_that_is_never_busy_has_no_cost_per_token(world):
    assert value(world, "own_usd_mtok(2.26, 33040, 0, 0)") is None
