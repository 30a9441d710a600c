"""Two systems side by side: what may be compared, what differs, and what may not be compared. Figures as published in 2026."""

import datetime as dt

import pytest

from tests.sql.world import agents, cookbook_point, headline

GB300_CONFIG = {"config_id": "g", "precision": "NVFP4", "framework": "SGLang", "source": "artificial_analysis", "origin": "scraped"}
MI355X_CONFIG = {"config_id": "m", "precision": "MXFP4", "framework": "ATOM", "source": "artificial_analysis", "origin": "scraped"}


def gap(world, accelerator="MI355X", other="GB300", where="true"):
    (row,) = world.rows(f"SELECT * FROM system_gap WHERE accelerator = '{accelerator}' AND other_accelerator = '{other}' AND {where}")
    return row


def test_mi355x_reaches_0_467_of_gb300_as_configured_by_artificial_analysis(world):
    world.add("agentperf_results", headline("GB300", 150e6, config_id="g"), headline("MI355X", 70e6, config_id="m", configured_by="Artificial Analysis"))
    world.add("configurations", GB300_CONFIG, MI355X_CONFIG)
    row = gap(world)
    assert (row["ratio"], row["comparability"]) == (pytest.approx(0.467, abs=5e-4), "differs")
    assert row["differences"] == ["weight format MXFP4 against NVFP4", "configured by Artificial Analysis against NVIDIA", "framework ATOM against SGLang"]
    assert gap(world, "GB300", "MI355X")["ratio"] == pytest.approx(150 / 70)


def test_mi355x_reaches_0_64_as_configured_by_amd_with_who_configured_it_among_the_differences(world):
    world.add("agentperf_results", headline("GB300", 150e6), headline("MI355X", 96e6))
    row = gap(world)
    assert row["ratio"] == pytest.approx(0.64)
    assert "configured by AMD against NVIDIA" in row["differences"]


@pytest.mark.parametrize(
    ("precision", "said"),
    [("FP4", "weight format MXFP4 against NVFP4"), (None, "weight format not stated (4-bit weights are NVFP4 on NVIDIA against MXFP4 on AMD)")],
)
def test_nvfp4_against_mxfp4_is_always_among_the_differences_of_nvidia_and_amd(world, precision, said):
    world.add("agentperf_results", headline("GB300", 150e6, config_id="g"), headline("MI355X", 70e6, config_id="m"))
    world.add("configurations", {**GB300_CONFIG, "precision": precision}, {**MI355X_CONFIG, "precision": precision})
    assert gap(world)["differences"][0] == said


def test_an_unknown_weight_format_is_never_guessed_from_the_vendor(world):
    world.add("agentperf_results", agents("H200", 2594.0), agents("GB300", 61354.0))
    row = gap(world, "H200")
    assert (row["weight_format"], row["other_weight_format"]) == (None, None)
    assert "weight format not stated" in row["differences"]


def test_two_alike_in_everything_are_the_same(world):
    alike = {"config_id": "g", "configured_by": "NVIDIA", "measured_on": dt.date(2026, 10, 22)}
    world.add("agentperf_results", headline("GB300", 150e6, **alike), headline("B300", 150e6, **alike))
    world.add("configurations", GB300_CONFIG)
    row = gap(world, "GB300", "B300")
    assert (row["ratio"], row["comparability"], row["differences"]) == (1, "same", [])


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ({"tokens_counted": "output"}, {}, "tokens counted input_and_output against output"),
        ({"tokens_counted": None}, {}, "tokens counted not stated"),
        ({"power_basis": "all_in_modelled"}, {}, "power basis accelerator_measured against all_in_modelled"),
        ({"power_basis": None}, {"power_basis": None}, "power basis not stated"),
    ],
)
def test_what_counts_other_tokens_or_other_power_is_not_compared_and_the_reason_given(world, one, other, reason):
    world.add("agentperf_results", headline("GB300", 150e6, **one), headline("MI355X", 70e6, **other))
    row = gap(world)
    assert (row["ratio"], row["comparability"], row["reason"]) == (None, "no", reason)
    assert (row["value"], row["other_value"]) == (70e6, 150e6)


@pytest.mark.parametrize(
    "apart",
    [
        {"slo_p25_tok_s": 60.0},
        {"model": "DeepSeek V4 Pro"},
        {"slo_p95_ttft_s": 5.0},
        {"origin": "curated", "source": "curated", "publication": "p"},
        {"metric": "agents_per_mw"},
    ],
)
def test_other_tiers_models_publishers_and_metrics_never_meet(world, apart):
    world.add("agentperf_results", headline("GB300", 150e6), headline("MI355X", 70e6, **apart))
    assert world.rows("SELECT * FROM system_gap") == []


def test_entered_figures_meet_only_within_one_publication(world):
    entered = {"origin": "curated", "source": "curated", "slo_p25_tok_s": None, "slo_p95_ttft_s": None, "slo_label": "lowest speed"}
    world.add("agentperf_results", headline("GB300", 150e6, **entered, publication="p"), headline("MI355X", 70e6, **entered, publication="p"))
    world.add("agentperf_results", headline("B300", 150e6, **entered, publication="q"))
    assert gap(world)["ratio"] == pytest.approx(0.467, abs=5e-4)
    assert world.rows("SELECT * FROM system_gap WHERE 'B300' IN (accelerator, other_accelerator)") == []


def test_days_between_two_measurements_are_among_the_differences(world):
    world.add("agentperf_results", agents("GB300", 91500.0, measured_on=dt.date(2026, 9, 24)), agents("MI355X", 3551.0, measured_on=dt.date(2026, 6, 10)))
    row = gap(world)
    assert (row["days_apart"], row["differences"][-1]) == (106, "measured 106 days apart")


def stated_cost(accelerator, speed, usd, **more):
    hour = {"B300": 2.26, "MI355X": 1.5}[accelerator]
    return {
        "model": "Muse Spark Open",
        "accelerator": accelerator,
        "vendor": "AMD" if accelerator == "MI355X" else "NVIDIA",
        "precision": "FP4",
        "interactivity_tok_s": speed,
        "interactivity_kind": "given",
        "usd_mtok": usd,
        "cost_of": "total",
        "price_basis": "owning",
        "usd_gpu_h": hour,
        "source": "curated",
        "origin": "curated",
        "publication": "inferencex",
        **more,
    }


def test_published_costs_grow_apart_with_speed(world):
    published = {128.0: (0.019, 0.024), 191.0: (0.027, 0.044), 254.0: (0.046, 0.076)}
    for speed, (b300, mi355x) in published.items():
        world.add("stated_costs", stated_cost("B300", speed, b300), stated_cost("MI355X", speed, mi355x))
    rows = world.rows("SELECT interactivity_tok_s AS x, ratio, differences FROM system_gap WHERE accelerator = 'MI355X' ORDER BY x")
    assert [(r["x"], round(r["ratio"], 2)) for r in rows] == [(128, 1.26), (191, 1.63), (254, 1.65)]
    assert {r["differences"][0] for r in rows} == {"weight format MXFP4 against NVFP4"}


@pytest.mark.parametrize(
    ("apart", "reason"),
    [
        ({"scenario": "fixed_length"}, "scenario agentic_traces against fixed_length"),
        ({"interactivity_kind": "median_tpot"}, "interactivity p90_itl against median_tpot"),
    ],
)
def test_costs_of_other_work_or_another_kind_of_speed_are_not_compared(world, apart, reason):
    entered = {"scenario": "agentic_traces", "interactivity_kind": "p90_itl"}
    world.add("stated_costs", stated_cost("MI355X", 128.0, 0.024, **entered), stated_cost("B300", 128.0, 0.019, **{**entered, **apart}))
    row = gap(world, other="B300")
    assert (row["ratio"], row["comparability"], row["reason"]) == (None, "no", reason)


@pytest.mark.parametrize("apart", [{"price_basis": "rental"}, {"cost_of": "output"}, {"interactivity_tok_s": 191.0}])
def test_costs_at_other_prices_of_other_tokens_or_speeds_never_meet(world, apart):
    world.add("stated_costs", stated_cost("MI355X", 128.0, 0.024), stated_cost("B300", 128.0, 0.019, **apart))
    assert world.rows("SELECT * FROM system_gap") == []


def test_a_cost_beyond_what_was_measured_says_so(world):
    def measured(accelerator, speed, total):
        of = {"accelerator": accelerator, "source": "inferencex", "origin": "api", "provenance": "evaluator_measured", "scenario": "agentic_traces"}
        return cookbook_point(32, speed, total, **of, interactivity_kind="p90_itl", point_id=f"{accelerator} {speed}", precision="fp4", attributed_to="NVIDIA")

    world.add("operating_points", measured("B300", 64.0, 52e3), measured("B300", 128.0, 33e3), measured("GB300", 64.0, 60e3), measured("GB300", 300.0, 9e3))
    price = {"component": "gpu_hour", "seller": "list", "price_basis": "owning", "unit": "usd_gpu_h", "source": "inferencex", "origin": "api"}
    world.add("prices", {"item": "B300", "low": 2.26, "high": 2.26, **price}, {"item": "GB300", "low": 2.31, "high": 2.31, **price})
    row = gap(world, "B300", "GB300", "interactivity_tok_s = 222")
    assert "the speed lies outside what was measured on B300" in row["differences"]
    assert row["method"] == "clamped" and row["other_method"] == "interpolated"
