"""The entered figures against the article they come from (issue: Curated source; design: Right values)."""

import datetime as dt
import fnmatch
import json

import pytest

from pipelines.schema import frame
from pipelines.tables import TABLES
from tests.unit.curated.publications import FOLDER, committed, find

ARTICLE = "OrcaRouter's article of 2026-10-24"
MUSE = "Muse Spark Open"
COOKBOOK = "sglang-cookbook-muse-spark-open"
HEADLINES = "aa-agentperf-muse-spark-open-2026-10-23"


def near(value, digits):
    return pytest.approx(value, abs=0.5 * 10**-digits)


def test_every_committed_file_is_read_and_fits_the_schemas():
    for table, records in committed().items():
        data, failures = frame(TABLES[table], records)
        assert not failures
        TABLES[table].schema.validate(data, lazy=True)


def test_there_is_one_publication_for_each_that_the_article_reports_on():
    told = {r["publication"] for records in committed().values() for r in records if r["reported_via"] == ARTICLE}
    assert told == {
        "aa-agentperf-muse-spark-open-2026-10-23",
        "aa-agentperf-methodology-2026-10-23",
        "aa-agentperf-launch-as-told-2026-10-23",
        "aa-muse-spark-open-listing",
        "sglang-cookbook-muse-spark-open",
        "sglang-mi35x-gate-muse-spark-open",
        "inferencex-muse-spark-open-fp4",
        "meta-muse-spark-open-weights-and-licence",
    }


def test_no_file_is_without_rows():
    assert {r["publication"] for records in committed().values() for r in records} == {p.stem for p in FOLDER.glob("*.yaml")}


@pytest.mark.parametrize(("system", "accelerator"), [("4x GB300", "GB300"), ("4x B300", "B300")])
def test_the_nvidia_ceilings_are_two_rows_of_150_million_on_four_accelerators(system, accelerator):
    ceiling = find("agentperf_results", publication=HEADLINES, system=system)
    assert (ceiling["metric"], ceiling["value"], ceiling["accelerator"], ceiling["accelerators"]) == ("throughput_tok_s_mw", 150e6, accelerator, 4)
    assert (ceiling["qualifier"], ceiling["bound"], ceiling.get("configured_by")) == ("up_to", "ceiling", None)
    assert (ceiling["power_basis"], ceiling["tokens_counted"]) == ("accelerator_measured", "input_and_output")
    assert ceiling["dated_from"] == dt.datetime(2026, 10, 23)


def test_mi355x_is_a_floor_of_about_70_million_configured_by_the_evaluator_on_an_unknown_number():
    floor = find("agentperf_results", publication=HEADLINES, accelerator="MI355X")
    assert (floor["value"], floor["qualifier"], floor["bound"]) == (70e6, "about", "floor")
    assert (floor["configured_by"], floor.get("accelerators"), floor["vendor"]) == ("Artificial Analysis", None, "AMD")


def test_mi355x_over_nvidia_is_0_467():
    assert find("agentperf_results", publication=HEADLINES, accelerator="MI355X")["value"] / find(
        "agentperf_results", publication=HEADLINES, accelerator="GB300"
    )["value"] == near(0.467, 3)


@pytest.mark.parametrize(
    ("concurrency", "speed", "total", "tp", "ep", "accelerators", "nodes", "ttft"),
    [
        (1, 485.8, 2514, 8, 8, 8, 2, 0.10),
        (16, 208.7, 49646, 4, 4, 4, None, None),
        (64, 97.1, 114342, None, None, None, None, None),
        (160, 40.9, 185382, None, None, None, None, None),
    ],
)
def test_the_four_sglang_points_stand_with_every_figure(concurrency, speed, total, tp, ep, accelerators, nodes, ttft):
    point = find("operating_points", publication=COOKBOOK, concurrency=concurrency)
    assert (point["interactivity_tok_s"], point["total_tok_s_gpu"]) == (speed, total)
    assert (point.get("tp"), point.get("ep"), point.get("accelerators"), point.get("nodes")) == (tp, ep, accelerators, nodes)
    assert (point.get("ttft_s"), point.get("ttft_percentile")) == (ttft, "p95" if ttft else None)
    assert (point["cache_hit_ratio"], point["cache_hit_ratio_low"], point["cache_hit_ratio_high"], point["cache_hit_kind"]) == (0.970, 0.968, 0.976, "reported")
    assert (point["accelerator"], point["scenario"], point["provenance"]) == ("GB300", "aa_agentperf", "framework_reported")
    assert point["dated_from"] == dt.datetime(2026, 10, 22)


def test_generated_output_is_given_at_concurrency_160_alone():
    assert {p["concurrency"]: p.get("output_tok_s_gpu") for p in committed()["operating_points"] if p["publication"] == COOKBOOK} == {
        1: None,
        16: None,
        64: None,
        160: 1237.0,
    }


def test_the_split_at_concurrency_160_comes_out_to_its_digits():
    point = find("operating_points", publication=COOKBOOK, concurrency=160)
    output = point["output_tok_s_gpu"] / point["total_tok_s_gpu"]
    assert output == near(0.00667, 5)
    assert (1 - output) * point["cache_hit_ratio"] == near(0.9635, 4)
    assert (1 - output) * (1 - point["cache_hit_ratio"]) == near(0.0298, 4)


def test_the_headline_agrees_with_the_point_by_the_entered_power_of_four_gb300():
    power, headline = (
        find("accelerator_power", publication="orcarouter-muse-spark-open"),
        find("agentperf_results", publication=HEADLINES, accelerator="GB300")["value"],
    )
    assert (power["accelerator"], power["power_basis"], power["provenance"]) == ("GB300", "accelerator_measured", "derived")
    assert (headline * power["kw"] / 1000, headline * power["kw_high"] / 1000) == (187_500, 225_000)
    assert 1e6 * find("operating_points", publication=COOKBOOK, concurrency=160)["total_tok_s_gpu"] / headline == near(1236, 0)


def test_five_of_43_points_and_81_percent_of_the_frontier_are_claimed():
    subset = find("published_subsets", publication=COOKBOOK)
    assert (subset["published_points"], subset["measured_points"], subset["frontier_coverage_ratio"]) == (5, 43, 0.81)


@pytest.mark.parametrize(("speed", "b300", "mi355x", "ratio"), [(128, 0.019, 0.024, 1.26), (191, 0.027, 0.044, 1.63), (254, 0.046, 0.076, 1.65)])
def test_the_six_costs_stand_with_their_prices_and_ratios(speed, b300, mi355x, ratio):
    costs = {c["accelerator"]: c for c in committed()["stated_costs"] if c["interactivity_tok_s"] == speed}
    assert {a: (c["usd_mtok"], c["usd_gpu_h"]) for a, c in costs.items()} == {"B300": (b300, 2.26), "MI355X": (mi355x, 1.50)}
    assert {(c["cost_of"], c["price_basis"], c["provenance"], c["model"]) for c in costs.values()} == {("total", "owning", "interpolated", MUSE)}
    assert costs["MI355X"]["usd_mtok"] / costs["B300"]["usd_mtok"] == near(ratio, 2)


def test_the_listing_stands_with_every_figure_and_its_blend_is_0_78():
    listing = find("models", slug="muse-spark-open")
    want = {
        "name": MUSE,
        "creator": "Meta",
        "intelligence_index": 39,
        "input_usd_mtok": 1.25,
        "output_usd_mtok": 4.25,
        "cache_discount_ratio": 0.88,
        "blend_7_2_1_usd_mtok": 0.78,
        "output_tok_s": 142.9,
        "ttft_s": 0.76,
        "index_usd_task": 0.84,
        "release_date": dt.date(2026, 10, 15),
    }
    assert {k: listing[k] for k in want} == want
    cached = listing["input_usd_mtok"] * (1 - listing["cache_discount_ratio"])
    assert (7 * cached + 2 * listing["input_usd_mtok"] + listing["output_usd_mtok"]) / 10 == near(0.78, 2)


def fact(name, **more):
    return find("model_facts", fact=name, **more)


def test_rent_over_own_is_41_times_naively():
    cost = next(c for c in committed()["stated_costs"] if c["accelerator"] == "B300" and c["interactivity_tok_s"] == 128)
    assert find("models", slug="muse-spark-open")["blend_7_2_1_usd_mtok"] / cost["usd_mtok"] == near(41, 0)


def test_an_agent_hour_is_4_cents_at_57_5_agents_per_gpu_and_2_31_dollars():
    agents = find("agentperf_results", publication="tensorrt-llm-tech-blog-26", value=57.5)
    price = find("prices", item="GB300", component="gpu_hour", price_basis="owning", dated_to=None)
    assert (price["low"], price["low"] / agents["value"]) == (2.31, near(0.040, 3))


@pytest.mark.parametrize(
    ("name", "value", "unit"),
    [
        ("peer_median_output_tok_s", 75.4, "tok/s"),
        ("peer_median_intelligence_index", 19, "0 to 100"),
        ("weights_bf16", 1.65, "TB"),
        ("weights_nvfp4", 537, "GB"),
        ("smallest_node", 4, "Blackwell Ultra GPUs"),
        ("licence_revenue_limit", 20e6, "USD a year"),
        ("workstation_demo", 2, "Mac Studio with M5 Ultra"),
        ("output_share_at_top_point", 0.007, "ratio"),
        ("implied_tok_s_gpu_low", 190e3, "tok/s/GPU"),
        ("implied_tok_s_gpu_high", 225e3, "tok/s/GPU"),
        ("implied_node_tok_s_low", 750e3, "tok/s"),
        ("implied_node_tok_s_high", 900e3, "tok/s"),
        ("naive_rent_to_own", 40, "times"),
    ],
)
def test_the_articles_facts_stand_with_their_numbers(name, value, unit):
    known = fact(name)
    assert (known["model"], known["value"], known["unit"]) == (MUSE, value, unit)


@pytest.mark.parametrize(
    "name", ["licence", "licence_notice", "routed_by_orcarouter", "mi35x_accuracy_gate", "gb300_and_b300", "agents_per_mw", "agentperf_first_listed"]
)
def test_what_is_no_number_stands_in_words_without_one(name):
    assert fact(name).get("value") is None and fact(name)["value_text"]


def test_the_four_open_watch_items_are_facts():
    awaited = {r["fact"] for r in committed()["model_facts"] if r["fact"].startswith("awaited_")}
    assert awaited == {"awaited_agents_per_mw", "awaited_meta_serving_deep_dive", "awaited_amd_configuration", "awaited_mi35x_gate"}


def test_the_workload_and_harness_are_one_methodology():
    rules = find("methodologies", benchmark="AA-AgentPerf")
    tokens = ("input_tokens_low", "input_tokens_high", "input_tokens_mean", "output_tokens_median", "turns_max")
    assert [rules[t] for t in tokens] == [5000, 131000, 27000, 150, 200]
    assert "binary search" in rules["search"] and "30 seconds" in rules["window"] and "HBM" in rules["power"]


@pytest.mark.parametrize(
    ("seller", "basis", "price"),
    [("Meta", "hosted", (1.25, 4.25)), ("Vercel (AI Gateway)", "router", (1.25, 4.25)), ("Venice", "hosted", (1.56, 5.31))],
)
def test_hosted_and_router_prices_stand_side_by_side(seller, basis, price):
    def of(component):
        return find("prices", item=MUSE, seller=seller, component=component, price_basis=basis)["low"]

    assert (of("input"), of("output")) == price


def test_the_router_adds_no_markup_and_the_reseller_a_quarter():
    assert find("prices", component="markup", seller="OrcaRouter")["low"] == 0
    assert find("prices", component="markup", seller="Venice")["low"] == 0.25
    assert find("prices", item=MUSE, component="cached_input", seller="Vercel (AI Gateway)")["low"] == 0.15


def test_two_times_to_first_token_stand_side_by_side():
    assert fact("ttft_s", offer="provider 1")["value"] == 0.3
    assert find("models", slug="muse-spark-open")["ttft_s"] == 0.76


def test_the_two_values_of_one_june_result_stand_side_by_side_with_their_dates():
    launch = find("agentperf_results", publication="aa-agentperf-launch-2026-06-12", accelerator="GB300")
    told = find("agentperf_results", publication="aa-agentperf-launch-as-told-2026-10-23")
    assert (launch["value"], launch["dated_from"]) == (61354, dt.datetime(2026, 6, 12))
    assert (told["value"], told["dated_from"], told["slo_p25_tok_s"]) == (91500, dt.datetime(2026, 10, 23), 20)
    assert "June 2026" in told["stated_date"]


def test_a_publishers_own_tier_label_stands_beside_the_evaluators():
    assert find("agentperf_results", publication="nvidia-agentperf-blog-2026-06-12", value=61400.0)["slo_p25_tok_s"] == 30
    assert find("agentperf_results", publication="aa-agentperf-launch-2026-06-12", value=61354.0)["slo_p25_tok_s"] == 20


def test_what_was_announced_and_not_published_is_a_fact_and_no_figure():
    assert not [r for r in committed()["agentperf_results"] if "gpt-oss" in r["model"]]
    assert fact("agentperf_results", model="gpt-oss-120b (high)").get("value") is None


@pytest.mark.parametrize(
    ("table", "column", "value", "word"),
    [
        ("agentperf_results", "metric", "throughput_tok_s_mw", "ceiling"),
        ("agentperf_results", "power_basis", "accelerator_measured", "wall"),
        ("agentperf_results", "accelerator", "MI355X", "floor"),
        ("agentperf_results", "accelerator", "MI355X", "correctness"),
        ("operating_points", "publication", COOKBOOK, "best case"),
        ("operating_points", "publication", COOKBOOK, "range"),
        ("stated_costs", "cost_of", "total", "cache"),
        ("stated_costs", "cost_of", "*", "idle"),
    ],
)
def test_the_articles_caveats_apply_to_the_rows_they_are_about(table, column, value, word):
    fitting = [c for c in committed()["caveats"] if c["table_name"] == table and f"{column}={value}" in c["key_pattern"].split("&")]
    assert any(word in c["text"].lower() for c in fitting)


def test_every_caveat_about_a_curated_table_fits_at_least_one_row_here():
    def fits(pattern, record):
        return all(record.get(c) is not None and fnmatch.fnmatchcase(record[c], want) for c, want in (pair.split("=", 1) for pair in pattern.split("&")))

    idle = [c["key_pattern"] for c in committed()["caveats"] if not any(fits(c["key_pattern"], r) for r in committed()[c["table_name"]])]
    assert idle == []


def test_the_published_form_of_a_turned_figure_is_kept():
    rack = find("agentperf_results", value=35800.0)
    assert json.loads(rack["extra"])["published"] == {"metric": "agents_per_kw", "unit": "agents/kW", "value": 35.8}
