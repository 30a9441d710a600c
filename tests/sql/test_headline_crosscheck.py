"""A throughput per megawatt against the point that may be behind it. Figures: Muse Spark Open, October 2026."""

import pytest

from tests.sql.world import COOKBOOK, GB300_POWER, agents, cookbook_point, headline


def check(world, where="accelerator = 'GB300'"):
    (row,) = world.rows(f"SELECT * FROM headline_crosscheck WHERE {where}")
    return row


def test_150_m_on_gb300_and_185382_tok_s_can_be_the_same_work(world):
    world.add("agentperf_results", headline("GB300", 150e6, bound="ceiling", qualifier="up_to"))
    world.add("operating_points", *COOKBOOK)
    world.add("accelerator_power", GB300_POWER)
    row = check(world)
    assert (row["implied_tok_s_gpu_low"], row["implied_tok_s_gpu_high"]) == (187_500, 225_000)
    assert row["implied_watts_per_accelerator"] == pytest.approx(1236, abs=0.5)
    assert (row["verdict"], row["pairing"], row["unknown"]) == ("consistent", "inferred", None)
    assert (row["measured_tok_s_gpu"], row["concurrency"], row["interactivity_tok_s"]) == (185382, 160, 40.9)
    assert (row["bound"], row["qualifier"], row["origin"], row["point_origin"], row["power_publication"]) == (
        "ceiling",
        "up_to",
        "scraped",
        "git",
        "an article",
    )


def test_power_modelled_all_in_never_stands_for_power_at_the_accelerator(world):
    world.add("agentperf_results", headline("GB300", 150e6))
    world.add("operating_points", *COOKBOOK)
    world.add("accelerator_power", {**GB300_POWER, "kw": 2.12, "kw_high": None, "power_basis": "all_in_modelled"})
    row = check(world)
    assert (row["kw_low"], row["implied_tok_s_gpu_low"], row["verdict"]) == (None, None, None)
    assert "power" in row["unknown"] and "GB300" in row["unknown"]
    assert row["implied_watts_per_accelerator"] == pytest.approx(1236, abs=0.5)


@pytest.mark.parametrize("value", [150e3, 150e9, 100e6])
def test_a_power_no_accelerator_has_is_a_unit_error_even_where_its_power_is_not_known(world, value):
    world.add("agentperf_results", headline("GB300", value))
    world.add("operating_points", *COOKBOOK)
    assert check(world)["verdict"] == "unit_error"


def test_plausible_watts_outside_the_band_are_inconsistent(world):
    world.add("agentperf_results", headline("GB300", 250e6))  # 741 W, where 1,250 to 1,500 are known
    world.add("operating_points", *COOKBOOK)
    world.add("accelerator_power", GB300_POWER)
    assert check(world)["verdict"] == "inconsistent"


def test_a_headline_without_a_point_says_so_and_claims_nothing(world):
    world.add("agentperf_results", headline("MI355X", 70e6))
    world.add("operating_points", *COOKBOOK)
    world.add("accelerator_power", GB300_POWER)
    row = check(world, "true")
    assert (row["verdict"], row["pairing"], row["point_id"], row["measured_tok_s_gpu"]) == (None, None, None, None)
    assert "no undoubted point of this model on MI355X" in row["unknown"]


def test_points_that_are_doubted_retracted_slower_than_the_tier_or_of_other_work_are_not_paired(world):
    world.add("agentperf_results", headline("GB300", 150e6))
    world.add(
        "operating_points",
        *COOKBOOK,
        cookbook_point(200, 35.0, 300e3, point_id="doubted", flags=["unit_suspect"]),
        cookbook_point(201, 35.0, 300e3, point_id="taken back", status="retracted"),
        cookbook_point(202, 15.0, 300e3, point_id="too slow"),
        cookbook_point(203, 35.0, 300e3, point_id="other work", scenario="fixed_length"),
        cookbook_point(204, 35.0, 300e3, point_id="other model", model="Muse Spark 1.3"),
        cookbook_point(205, 35.0, 300e3, point_id="other accelerator", accelerator="B300"),
    )
    assert check(world)["point_id"] == "cookbook 160"


def test_of_equal_points_the_one_read_from_its_source_goes_before_the_one_entered_by_hand(world):
    world.add("agentperf_results", headline("GB300", 150e6))
    world.add("operating_points", cookbook_point(160, 40.9, 185382.0, point_id="a", origin="curated", source="curated", publication="p"), COOKBOOK[3])
    assert check(world)["point_origin"] == "git"


@pytest.mark.parametrize(
    ("stated", "word"), [({"tokens_counted": None}, "tokens"), ({"power_basis": None}, "megawatt"), ({"power_basis": "all_in_modelled"}, "megawatt")]
)
def test_a_headline_that_does_not_say_what_it_counts_gets_no_verdict(world, stated, word):
    world.add("agentperf_results", headline("GB300", 150e6, **stated))
    world.add("operating_points", *COOKBOOK)
    world.add("accelerator_power", GB300_POWER)
    row = check(world)
    assert row["verdict"] is None and word in row["unknown"]


def test_a_headline_of_output_alone_is_held_against_output(world):
    world.add("agentperf_results", headline("GB300", 1e6, tokens_counted="output"))
    world.add("operating_points", *COOKBOOK)
    world.add("accelerator_power", GB300_POWER)
    row = check(world)
    assert (row["measured_tok_s_gpu"], row["verdict"]) == (1237, "consistent")


def test_only_throughput_per_megawatt_is_a_headline(world):
    world.add("agentperf_results", agents("GB300", 91500.0))
    assert world.rows("SELECT * FROM headline_crosscheck") == []
