"""Benchmark files become operating points. Figures are the cookbook's published ones; the files are our own."""

import datetime as dt
import json

import pytest

from pipelines.schema import frame
from pipelines.sources.sglang.benchmarks import Place, points
from pipelines.sources.sglang.configs import Config, read_config
from pipelines.sources.sglang.deployment import is_simulated
from pipelines.sources.sglang.layout import read_layout
from pipelines.sources.sglang.literals import read
from pipelines.tables import TABLES

AFTER, BEFORE = dt.datetime(2026, 10, 22, 17), dt.datetime(2026, 7, 1)
MUSE = """// AA AgentPerf coding-agent scenario; tokens_per_sec_per_gpu counts input and output tokens.
export const benchmarks = [
  { match: { hw: "gb300", quant: "nvfp4", nodes: "multi-2" }, sglang_version: "0.5.21",
    speed: [ { workload: { dataset: "aa-agentperf", max_concurrency: 1 }, parallelism: "TP8 EP8", gpus: 8, tokens_per_sec_per_user: 485.8,
      tokens_per_sec_per_gpu: 2514, ttft_p95_ms: 100, prefix_cache_hit_pct: 97.6, hicache: false } ] },
  { match: { hw: "gb300", quant: "nvfp4", nodes: "single" }, sglang_version: "0.5.21",
    speed: { workload: { dataset: "aa-agentperf", max_concurrency: 160 }, parallelism: "TP4 EP4", gpus: 4, tokens_per_sec_per_user: 40.9,
      tokens_per_sec_per_gpu: 185382, output_tokens_per_sec_per_gpu: 1237, prefix_cache_hit_pct: 96.8, hicache: true } },
  { match: { hw: "mi355x", quant: "mxfp4", nodes: "single" } },
];
"""
SPEED = "ttft_ms: 378, tpot_ms: 8.51, tokens_per_sec_per_gpu: 127"
WORKLOAD = 'workload: { dataset: "random", isl: 8192, osl: 1024, max_concurrency: 1 }'


def records(source, config="", at=AFTER):
    layout = read_layout(read(source.encode()))
    place = Place("docs/a/x-benchmarks.jsx", "https://github.com/sgl-project/sglang/blob/c/x", "benchmarks:a/x", "x", at, "c", 41020, "dev")
    found = points(layout, read_config(read(config.encode())) if config else Config(), place)
    table, failures = frame(TABLES["operating_points"], [{k: v for k, v in r.items() if k != "part"} for r in found.records])
    assert not failures
    TABLES["operating_points"].schema.validate(table, lazy=True)
    return found.records


def one(speed=SPEED, match='hw: "b300"', more="", config="", at=AFTER, workload=WORKLOAD, header=""):
    (record,) = records(f"{header}export const benchmarks = [ {{ match: {{ {match} }}, {more} speed: [ {{ {workload}, {speed} }} ] }} ];", config, at)
    return record


def test_an_agentperf_row_gives_every_figure_it_states():
    first, last, _ = records(MUSE)
    told = ("accelerator", "concurrency", "interactivity_tok_s", "interactivity_kind", "total_tok_s_gpu", "output_tok_s_gpu", "ttft_s", "ttft_percentile")
    assert [first.get(k) for k in told] == ["GB300", 1, 485.8, "given", 2514.0, None, 0.1, "p95"]
    assert [last.get(k) for k in told] == ["GB300", 160, 40.9, "given", 185382.0, 1237.0, None, None]
    deployed = ("tp", "ep", "accelerators", "accelerators_from", "nodes", "kv_offload", "cache_hit_ratio", "cache_hit_kind")
    assert [first.get(k) for k in deployed] == [8, 8, 8, "row", 2, "none", 0.976, "reported"]
    assert [last.get(k) for k in deployed] == [4, 4, 4, "row", 1, "hicache", 0.968, "reported"]
    assert {r["scenario"] for r in records(MUSE)} == {"aa_agentperf"}
    assert [r["throughput_basis"] for r in (first, last)] == ["total", "total"]


def test_a_bare_match_is_pending_and_has_no_number():
    stub = records(MUSE)[2]
    assert (stub["status"], stub["accelerator"], stub["weight_format"]) == ("pending", "MI355X", "MXFP4")
    assert not [k for k in stub if k.endswith(("_tok_s", "_tok_s_gpu")) and stub[k] is not None]
    assert stub.get("concurrency") is None


def test_rows_whose_figures_are_all_null_are_pending_too():
    assert one("ttft_ms: null, tpot_ms: null, tokens_per_sec_per_gpu: null")["status"] == "pending"


def test_a_row_with_a_throughput_alone_is_active():
    record = one("ttft_ms: null, tpot_ms: null, tokens_per_sec_per_gpu: 420")
    assert (record["status"], record["total_tok_s_gpu"], record["ttft_s"], record.get("interactivity_tok_s")) == ("active", 420.0, None, None)


def test_accuracy_alone_is_pending_and_kept_beside():
    (record,) = records(
        'export const benchmarks = [ { match: { hw: "mi355x" }, sglang_version: "9e692c9216", accuracy: { gsm8k_pct: 97.65, gpqa_pct: null } } ];'
    )
    assert (record["status"], json.loads(record["extra"])["accuracy"], record["framework_version_class"]) == ("pending", {"gsm8k_pct": 97.65}, "commit")


def test_speed_per_user_is_derived_from_tpot_and_says_from_which_statistic():
    assert one()["interactivity_tok_s"] == pytest.approx(117.5088, abs=1e-4)
    assert (one()["interactivity_kind"], one()["ttft_percentile"]) == ("tpot_p50", "p50")
    mean = one(more='latencyPercentile: "Mean",')
    assert (mean["interactivity_kind"], mean["tpot_percentile"]) == ("tpot_mean", "mean")
    config = 'export const config = { latencyPercentile: "Mean", cells: [] };'
    assert one(config=config)["interactivity_kind"] == "tpot_mean"
    assert one(more='latencyPercentile: "P50",', config=config)["interactivity_kind"] == "tpot_p50"
    assert one(more='latencyPercentile: "P95",').get("interactivity_kind") is None


def test_of_a_random_workload_output_is_its_share_of_the_total_and_said_to_be_derived():
    record = one()
    assert (record["total_tok_s_gpu"], record["output_tok_s_gpu"]) == (127.0, pytest.approx(127 / 9))
    assert "output_tok_s_gpu" in json.loads(record["extra"])["derived"]
    assert one(workload='workload: { dataset: "sharegpt", max_concurrency: 1 }').get("output_tok_s_gpu") is None


def test_before_july_2026_the_same_key_counted_output():
    record = one("ttft_ms: 378, tpot_ms: 8.51, tokens_per_sec_per_gpu: 58.6", at=BEFORE)
    assert (record["throughput_basis"], record["stated_tok_s_gpu"], record["output_tok_s_gpu"], record["total_tok_s_gpu"]) == (
        "output",
        58.6,
        58.6,
        pytest.approx(527.4),
    )


def test_an_output_figure_under_the_new_key_is_suspect_and_both_are_stored():
    record = one("ttft_ms: 378, tpot_ms: 8.51, tokens_per_sec_per_gpu: 14.1", more='notes: "8x B300, TP8",')
    assert record["flags"] == ["unit_suspect"]
    assert (record["output_tok_s_gpu"], record["stated_tok_s_gpu"], record["total_tok_s_gpu"]) == (14.1, 14.1, pytest.approx(126.9))


def test_a_throughput_that_does_not_fit_its_latencies_is_flagged_only_where_gpus_are_counted():
    off = "ttft_ms: 23720, tpot_ms: 31.45, tokens_per_sec_per_gpu: 913"
    workload = WORKLOAD.replace("concurrency: 1 ", "concurrency: 64 ")
    assert one(off, workload=workload, more='notes: "8x B300, TP8",')["flags"] == ["arithmetic_off"]
    assert one(off, workload=workload)["flags"] == []
    multi = one(off, workload=workload, match='hw: "b300", nodes: "multi-2"')
    assert (multi["accelerators"], multi["accelerators_from"], multi["flags"]) == (16, "reference", [])


def test_images_and_other_data_sets_are_not_held_against_the_formula_of_random_text():
    speed = "ttft_ms: 339.27, tpot_ms: 4.41, tokens_per_sec_per_gpu: 306"
    workload = 'workload: { dataset: "image", isl: 1024, osl: 1024, max_concurrency: 1 }'
    record = one(speed, workload=workload, match='hw: "gb300"', more='notes: "2×GB300, TP=2.",')
    assert (record["accelerators"], record["accelerators_from"], record["flags"], record.get("output_tok_s_gpu")) == (2, "notes", [], None)


def test_a_single_node_is_not_taken_for_all_of_its_gpus():
    assert one(match='hw: "b200", nodes: "single"').get("accelerators") is None


def test_gpus_come_from_row_then_flags_then_notes_then_comments():
    config = 'export const config = { modelName: "Kimi-K3", cells: [ { match: { hw: "b300" }, verified: true, flags: ["--tp-size 8"] } ] };'
    assert [one(config=config)[k] for k in ("accelerators", "accelerators_from", "model", "verified")] == [8, "flags", "Kimi-K3", True]
    assert one(SPEED + ", gpus: 4", config=config)["accelerators_from"] == "row"
    assert one(more='notes: "4x B300 (TP4/EP4)",', config=config)["accelerators"] == 8
    commented = f"export const benchmarks = [\n  // 2x DGX Spark, TP=2\n  {{ match: {{ hw: 'dgx-spark' }}, speed: [ {{ {WORKLOAD}, {SPEED} }} ] }} ];"
    (record,) = records(commented)
    assert (record["accelerators"], record["accelerators_from"], record["tp"]) == (2, "comments", 2)


def test_a_header_counts_gpus_of_the_accelerator_it_names():
    header = "// All H200 numbers measured on 2xH200 (TP=2).\n"
    counted = one(match='hw: "h200"', header=header)
    assert (counted["accelerators"], counted["accelerators_from"], counted["tp"]) == (2, "file header", 2)
    other = one(match='hw: "b200"', header=header)
    assert (other.get("accelerators"), other.get("tp")) == (None, None)


def test_a_pinned_acceptance_is_told_by_notes_comments_or_the_row_itself():
    notes = one(more='notes: "adaptive MTP 5/1/6 with SGLANG_SIMULATE_ACC_LEN=3 (accept 3.00)",')
    assert (notes["synthetic_acceptance"], notes["synthetic_acceptance_from"]) == (True, "notes")
    pinned = "// DSPARK acceptance pinned to 5 of 8\n // draft tokens."
    (record,) = records(f"export const benchmarks = [ {{\n {pinned}\n match: {{ hw: 'mi350x' }}, speed: [ {{ {WORKLOAD}, {SPEED} }} ] }} ];")
    assert (record["synthetic_acceptance"], record["synthetic_acceptance_from"]) == (True, "comments")
    row = one(SPEED + ", synthetic_acceptance: false", more='notes: "SGLANG_SIMULATE_ACC_LEN=3",')
    assert (row["synthetic_acceptance"], row["synthetic_acceptance_from"]) == (False, "row")
    assert one().get("synthetic_acceptance") is None


def test_a_header_on_simulated_acceptance_does_not_speak_for_rows_without_speculation():
    header = "// Measured with simulated acceptance (SGLANG_SIMULATE_ACC_LEN=3).\n"
    assert one(match='hw: "b300", spec: "dspark"', header=header)["synthetic_acceptance"] is True
    assert one(match='hw: "b300", spec: "none"', header=header).get("synthetic_acceptance") is None


@pytest.mark.parametrize(
    ("text", "simulated"),
    [
        ("Simulated accept length makes this a throughput-mechanism number", True),
        ("synthetic acceptance of 3.51", True),
        ("acceptance was pinned at 3", True),
        ("Accuracy is from the shared non-simulated full GSM8K gate", False),
        ("measured without SGLANG_SIMULATE_ACC_LEN", False),
        ("real speculative acceptance, accept length 3.937", False),
    ],
)
def test_what_counts_as_simulated_acceptance(text, simulated):
    assert is_simulated(text) is simulated


def test_points_with_simulated_and_real_acceptance_are_different_points():
    real, simulated = one(), one(more='notes: "SGLANG_SIMULATE_ACC_LEN=3",')
    assert real["point_id"] != simulated["point_id"]
    assert one(more='latencyPercentile: "Mean",')["point_id"] != real["point_id"]


def test_a_points_identity_outlives_its_figures_version_and_commit():
    changed = one("ttft_ms: 1, tpot_ms: 2, tokens_per_sec_per_gpu: 3", more='sglang_version: "0.6",', at=dt.datetime(2026, 12, 1))
    assert changed["point_id"] == one()["point_id"]


def test_a_point_keeps_its_identity_when_a_latency_is_filled_in():
    assert one("ttft_ms: null, tpot_ms: null, tokens_per_sec_per_gpu: 127")["point_id"] == one()["point_id"]


def test_two_equal_entries_are_two_points():
    entry = f"{{ match: {{ hw: 'b300' }}, speed: [ {{ {WORKLOAD}, {SPEED} }} ] }}"
    first, second = records(f"export const benchmarks = [ {entry}, {entry} ];")
    assert first["point_id"] != second["point_id"]


def test_unknown_keys_are_kept_as_written():
    record = one(SPEED + ", power_draw_w: 900, ttft_ms_p999: 12, note: 'warm cache'", more="lane: 'a', ")
    extra = json.loads(record["extra"])
    assert (extra["power_draw_w"], extra["lane"]) == (900, "a")
    assert record["notes"] == "warm cache"


def test_a_value_that_is_no_number_is_kept_and_not_turned_into_one():
    record = one('ttft_ms: "TBD", tpot_ms: 8.51, tokens_per_sec_per_gpu: 127, prefix_cache_hit_pct: 0.968')
    assert (record["ttft_s"], record["cache_hit_ratio"], record["cache_hit_kind"]) == (None, None, "missing")
    assert (json.loads(record["extra"])["ttft_ms"], json.loads(record["extra"])["prefix_cache_hit_pct"]) == ("TBD", 0.968)
    assert record["flags"] == ["unit_suspect"]


def test_a_range_of_hit_rates_stays_a_range():
    record = one(SPEED + ', cache_hit_rate: "96.8-97.6%"')
    assert [record[k] for k in ("cache_hit_ratio", "cache_hit_ratio_low", "cache_hit_ratio_high", "cache_hit_kind")] == [None, 0.968, 0.976, "reported"]


def test_default_lengths_are_those_of_the_cookbook_for_random_data_alone():
    record = one(workload='workload: { dataset: "random", max_concurrency: 1 }')
    assert (record["isl"], record["osl"]) == (8192, 1024)
    assert one(workload='workload: { dataset: "aa-agentperf", max_concurrency: 1 }').get("isl") is None


def test_code_in_the_place_of_figures_is_no_pending_row_but_an_entry_not_read():
    layout = read_layout(read(b'export const benchmarks = [ { match: { hw: "b300" }, speed: rows("b300") }, ...more, { match: { hw: "h200" } } ];'))
    assert [m.match for m in layout.measurements] == [{"hw": "h200"}]
    assert layout.unread == ["benchmarks[0]", "benchmarks[1]"]
    assert layout.raws


def test_a_file_without_a_list_of_rows_is_not_taken_for_an_empty_one():
    assert read_layout(read(b"export const benchmarks = rows();")) is None
    assert read_layout(read(b"export const benchmarks = [];")).measurements == []


def test_other_layouts_are_read_by_what_their_keys_mean():
    (record,) = records(
        """export default [ { deployment: { hardware: "gb300", quantization: "nvfp4" }, results: [
             { dataset: "AA AgentPerf", concurrency: 64, totalTokensPerSecPerGpu: 114342, tokens_per_second_per_user: 97.1,
               cacheHitRate: 0.97, numGpus: 4 } ] } ];"""
    )
    told = ("accelerator", "precision", "scenario", "concurrency", "total_tok_s_gpu", "interactivity_tok_s", "cache_hit_ratio", "accelerators")
    assert [record[k] for k in told] == ["GB300", "nvfp4", "aa_agentperf", 64, 114342.0, 97.1, 0.97, 4]


def test_how_the_keys_are_filled_is_reported():
    layout = read_layout(read(MUSE.encode()))
    assert layout.fields["match.hw"] == 1
    assert layout.fields["speed.ttft_p95_ms"] == pytest.approx(1 / 3, abs=1e-4)
