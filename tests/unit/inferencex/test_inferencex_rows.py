"""A benchmark row as an operating point."""

import datetime as dt
import json

import pytest

from pipelines.schema import frame
from pipelines.tables import TABLES
from tests.unit.inferencex.by_hand import MODEL, SCOPE, agentic, june, only, read, records, september


def test_a_row_of_june_becomes_a_fixed_length_point():
    point = only(june())
    assert {k: point[k] for k in ("model", "accelerator", "vendor", "scenario", "isl", "osl", "concurrency", "status", "flags")} == {
        "model": MODEL,
        "accelerator": "B200",
        "vendor": "NVIDIA",
        "scenario": "fixed_length",
        "isl": 8192,
        "osl": 1024,
        "concurrency": 64,
        "status": "active",
        "flags": [],
    }
    assert point["interactivity_tok_s"] == pytest.approx(33.3333, abs=1e-4)
    assert (point["interactivity_kind"], point["ttft_s"], point["ttft_percentile"], point["tpot_s"]) == ("median_tpot", 0.9, "p50", 0.03)
    assert (point["total_tok_s_gpu"], point["output_tok_s_gpu"], point["input_tok_s_gpu"]) == (2250.0, 250.0, 2000.0)
    assert (point["cache_hit_kind"], point["cache_hit_ratio"], point["kv_offload"]) == ("missing", None, None)
    assert (point["source"], point["origin"], point["provenance"], point["source_url"]) == ("inferencex", "api", "evaluator_measured", SCOPE)
    assert point["run_id"] == "26100000001"


def test_a_point_is_dated_by_its_run():
    point = only(june())
    assert (point["measured_on"], point["dated_from"], point["date_source"]) == (dt.date(2026, 5, 20), dt.datetime(2026, 5, 20), "run_date")


def test_records_fit_the_table():
    rows = [june(), september(conc=65), agentic(), june(hardware="newchip", image=None, metrics={"tput_per_gpu": None}, conc=66)]
    data, failures = frame(TABLES["operating_points"], [{k: v for k, v in r.items() if k != "part"} for r in records(rows)])
    assert failures == []
    TABLES["operating_points"].schema.validate(data, lazy=True)


def test_an_agentic_row_has_the_90th_percentile_latency_and_the_servers_hit_rate():
    point = only(agentic())
    assert point["scenario"] == "agentic_traces"
    assert point["interactivity_tok_s"] == pytest.approx(51.282, abs=1e-3)
    assert point["interactivity_kind"] == "p90_itl"
    assert (point["cache_hit_ratio"], point["cache_hit_kind"]) == (0.95871, "server")
    assert (point["accelerators"], point["nodes"], point["accelerators_from"]) == (8, 1, "total_tput_tps / tput_per_gpu")
    assert (point["duration_s"], point["requests_completed"], point["kv_offload"]) == (3628.906, 3410, "cpu_dram")
    assert point["source_url"] == "https://inferencex.semianalysis.com/inference/agentic/440845"


def test_the_split_of_the_published_agentic_point_follows_from_its_record():
    point = only(agentic())
    output = point["output_tok_s_gpu"] / point["total_tok_s_gpu"]
    assert output == pytest.approx(0.0066, abs=1e-4)
    assert (1 - output) * point["cache_hit_ratio"] == pytest.approx(0.9524, abs=1e-4)
    assert (1 - output) * (1 - point["cache_hit_ratio"]) == pytest.approx(0.0410, abs=1e-4)


@pytest.mark.parametrize(
    ("stated", "ratio", "kind"),
    [
        ({"server_gpu_cache_hit_rate": 0.5, "server_external_cache_hit_rate": 0.3, "server_cpu_cache_hit_rate": 0.1}, 0.8, "server"),
        ({"server_gpu_cache_hit_rate": 0.5, "server_external_cache_hit_rate": None, "server_cpu_cache_hit_rate": 0.1}, 0.6, "server"),
        ({"server_gpu_cache_hit_rate": 0.0}, 0.0, "server"),
        ({"server_gpu_cache_hit_rate": None}, None, "missing"),
        ({"server_gpu_cache_hit_rate": None, "server_cpu_cache_hit_rate": 0.4}, None, "missing"),
        ({"server_gpu_cache_hit_rate": 0.9, "server_external_cache_hit_rate": 0.2}, None, "server"),
    ],
)
def test_the_hit_rate_is_of_the_server_or_missing_and_never_the_theoretical_one(stated, ratio, kind):
    point = only(agentic(metrics=stated))
    assert point["cache_hit_kind"] == kind
    assert point["cache_hit_ratio"] == (None if ratio is None else pytest.approx(ratio))
    assert ("hit_out_of_range" in point["flags"]) == (stated["server_gpu_cache_hit_rate"] == 0.9)
    assert json.loads(point["extra"])["metrics"]["theoretical_cache_hit_rate"] == 0.968


@pytest.mark.parametrize(
    ("precision", "hardware", "weight_format"),
    [
        ("fp4", "b300", "NVFP4"),
        ("fp4", "mi355x", "MXFP4"),
        ("fp4", "newchip", None),
        ("fp8", "mi355x", "FP8"),
        ("bf16", "h100", "BF16"),
        ("fp4fp8", "b300", None),
    ],
)
def test_the_weight_format_is_told_from_precision_and_maker_where_it_can_be(precision, hardware, weight_format):
    assert only(june(precision=precision, hardware=hardware))["weight_format"] == weight_format


@pytest.mark.parametrize(
    ("row", "simulated"), [(agentic(), True), (agentic(spec_method="none"), False), (june(spec_method="mtp"), False), (agentic(spec_method=None), None)]
)
def test_acceptance_is_simulated_for_speculative_agentic_rows_alone(row, simulated):
    point = only(row)
    assert point["synthetic_acceptance"] is simulated
    assert (point["synthetic_acceptance_from"] is not None) == (simulated is True)


def test_power_counts_only_where_the_source_calls_it_valid():
    assert (only(september())["power_watts_gpu"], only(september())["joules_total_token"]) == (640.5, 0.3)
    for spoiled in ({"power_valid": 0}, {"power_metric_schema_version": 1}, {"power_valid": None}):
        assert only(september(metrics=spoiled)).get("power_watts_gpu") is None


def test_interactivity_falls_back_to_the_inverse_of_the_latency():
    assert only(june(metrics={"median_intvty": None}))["interactivity_tok_s"] == pytest.approx(33.3333, abs=1e-4)
    assert only(agentic(metrics={"p90_intvty": None, "p90_full_response_itl": 0.02}))["interactivity_tok_s"] == pytest.approx(50)
    assert only(agentic(metrics={"p90_intvty": None, "p90_itl": None}))["interactivity_tok_s"] is None


def test_a_speed_that_contradicts_its_latency_is_flagged():
    assert "interactivity_mismatch" in only(june(metrics={"median_intvty": 40.0}))["flags"]
    assert only(june(metrics={"median_intvty": 33.4}))["flags"] == []


def test_a_number_written_as_text_counts_exactly_and_is_reported():
    said = read([september(id=440123, conc="64", metrics={"tput_per_gpu": "2250.0", "median_ttft": "n/a"})])
    (point,) = said.rows["operating_points"]
    assert (point["total_tok_s_gpu"], point["concurrency"], point["ttft_s"]) == (2250.0, 64, None)
    assert any("`tput_per_gpu` is a number written as text" in w for w in said.warnings)
    assert any("`median_ttft` is a text that is no number" in w for w in said.warnings)
    assert json.loads(point["extra"])["metrics"]["median_ttft"] == "n/a"


def test_what_is_missing_stays_missing():
    point = only(june(metrics={"median_ttft": None, "output_tput_per_gpu": None}, image=None))
    assert (point["ttft_s"], point["ttft_percentile"], point["output_tok_s_gpu"], point["framework_version"]) == (None, None, None, None)


def test_unknown_keys_are_kept_and_every_field_is_reported():
    said = read([june(new_dimension="left", metrics={"new_metric": 7}), june(conc=128)])
    extra = json.loads(said.rows["operating_points"][0]["extra"])
    assert (extra["new_dimension"], extra["metrics"]["new_metric"], extra["metrics"]["p99_ttft"]) == ("left", 7, 2.5)
    assert (said.fields["operating_points"]["new_dimension"], said.fields["operating_points"]["metrics.new_metric"]) == (0.5, 0.5)
    assert said.fields["operating_points"]["workers"] == 0


def test_an_accelerator_nobody_knows_keeps_its_name_and_is_counted():
    said = read([june(hardware="newchip")])
    (point,) = said.rows["operating_points"]
    assert (point["accelerator"], point["vendor"], said.unmatched_names) == ("newchip", None, ["newchip"])


def test_both_shapes_of_a_row_are_the_same_point():
    assert only(june())["point_id"] == only(september())["point_id"]


@pytest.mark.parametrize(
    "change",
    [
        {"conc": 65},
        {"decode_ep": 8},
        {"offload_mode": "on"},
        {"framework": "vllm"},
        {"isl": 1024},
        {"run_url": "https://github.com/SemiAnalysisAI/InferenceX/actions/runs/26100000002/attempts/1"},
        {"run_url": "https://github.com/SemiAnalysisAI/InferenceX/actions/runs/26100000001/attempts/2"},
        {"metrics": {"dcp_size": 2}},
    ],
)
def test_another_deployment_or_run_is_another_point(change):
    assert only(september(**change))["point_id"] != only(september())["point_id"]


@pytest.mark.parametrize("change", [{"id": "7"}, {"num_decode_gpu": 64}, {"recipe_fingerprint": None}, {"metrics": {"tput_per_gpu": 2300.0}}, {"workers": []}])
def test_what_the_source_mends_in_place_is_no_new_point(change):
    assert only(september(**change))["point_id"] == only(september())["point_id"]


def test_two_recipes_of_one_deployment_are_two_points():
    assert len({r["point_id"] for r in records([september(), september(recipe_fingerprint="ffff")])}) == 2


def test_a_row_without_a_run_counts_by_its_day():
    first, second = only(june(run_url=None)), only(june(run_url=None, date="2026-05-21"))
    assert first["run_id"] is None
    assert first["point_id"] != second["point_id"]


def test_a_row_repeated_in_an_answer_is_taken_once_the_newest_and_reported():
    said = read(
        [september(id="9", metrics={"tput_per_gpu": 2.0}), september(id="10", metrics={"tput_per_gpu": 3.0}), september(id="8", metrics={"tput_per_gpu": 1.0})]
    )
    (point,) = said.rows["operating_points"]
    assert point["total_tok_s_gpu"] == 3.0
    assert any(w.startswith("2 rows repeat a point") for w in said.warnings)


def test_an_older_attempt_of_a_run_is_superseded_and_reported():
    said = read([agentic(), agentic(run_url=agentic()["run_url"].replace("attempts/1", "attempts/2"))])
    assert [r["status"] for r in said.rows["operating_points"]] == ["superseded", "active"]
    assert any("newer attempt" in w for w in said.warnings)


def test_a_kind_of_benchmark_not_known_here_is_left_out_and_reported():
    said = read([june(), june(benchmark_type="multi_turn")])
    assert len(said.rows["operating_points"]) == 1
    assert any("not known here" in w for w in said.warnings)
