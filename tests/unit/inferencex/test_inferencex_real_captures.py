"""Real answers of the InferenceX API, of June and September 2026."""

import gzip
import json

import pytest

from pipelines.schema import frame
from pipelines.sources.inferencex.attribution import attribute, runs_of
from pipelines.sources.inferencex.source import INFERENCEX
from pipelines.tables import TABLES
from tests.shared import SHARED, needs_shared
from tests.unit.inferencex.by_hand import SITE, bundle, capture, read

pytestmark = needs_shared


def body(name):
    return gzip.decompress((SHARED / "captures" / f"inferencex_{name}.json.gz").read_bytes())


def fits(table, records):
    data, failures = frame(TABLES[table], [{k: v for k, v in r.items() if k != "part"} for r in records])
    TABLES[table].schema.validate(data, lazy=True)
    return failures == []


@pytest.fixture(scope="module")
def june():
    return json.loads(body("api_benchmarks_dsr1_2026-06")), read(body("api_benchmarks_dsr1_2026-06"))


@pytest.fixture(scope="module")
def past():
    parts = (capture(body("api_benchmarks_history_dsr1"), "history", role="history"), capture({}, "history", role="note"))
    return json.loads(body("api_benchmarks_history_dsr1")), INFERENCEX.parse(bundle(*parts))


def test_all_435_rows_of_june_load(june):
    rows, said = june
    records = said.rows["operating_points"]
    assert len(rows) == len(records) == len({r["point_id"] for r in records}) == 435
    assert fits("operating_points", records)
    assert (said.warnings, said.unmatched_names) == ([], [])


def test_all_1462_rows_of_the_history_load(past):
    rows, said = past
    assert len(rows) == len({r["point_id"] for r in said.rows["operating_points"]}) == 1462
    assert fits("operating_points", said.rows["operating_points"])


@pytest.mark.parametrize("which", ["june", "past"])
def test_interactivity_is_the_inverse_of_median_tpot_on_every_row(which, request):
    _, said = request.getfixturevalue(which)
    for record in said.rows["operating_points"]:
        assert record["interactivity_tok_s"] * record["tpot_s"] == pytest.approx(1, rel=1e-12)
        assert "interactivity_mismatch" not in record["flags"]


@pytest.mark.parametrize(("which", "of_64", "of_16"), [("june", 33, 13), ("past", 241, 95)])
def test_rows_claiming_64_gpus_for_one_node_are_corrected_and_flagged(which, of_64, of_16, request):
    rows, said = request.getfixturevalue(which)
    by_run = {(r["run_url"], r["match"]): r for r in said.rows["operating_points"]}
    aggregated = [r for r in by_run.values() if not r["disaggregated"]]
    corrected = [r for r in aggregated if "gpus_corrected" in r["flags"]]
    assert sum(r["num_decode_gpu"] == 64 and not r["disagg"] for r in rows) == of_64
    assert sorted(r["accelerators"] for r in corrected) == [4] * of_16 + [8] * of_64
    assert all(r["accelerators"] in (4, 8) and r["nodes"] == 1 for r in aggregated)


def test_input_and_output_add_up_to_the_total_where_both_are_known(june):
    records = [r for r in june[1].rows["operating_points"] if r["input_tok_s_gpu"] is not None and r["output_tok_s_gpu"] is not None]
    assert len(records) == 425
    for record in records:
        assert record["input_tok_s_gpu"] + record["output_tok_s_gpu"] == pytest.approx(record["total_tok_s_gpu"], rel=0.01)


def test_rows_whose_gpu_counts_contradict_their_throughput_are_told(june):
    uncertain = [r for r in june[1].rows["operating_points"] if "gpus_uncertain" in r["flags"]]
    assert {(r["accelerators"], r["output_tok_s_gpu"]) for r in uncertain} == {(None, None)}
    assert {json.loads(r["match"])["decode_num_workers"] for r in uncertain} == {0}
    assert len(uncertain) == 8


def test_few_sound_rows_are_doubted(june):
    doubted = [r for r in june[1].rows["operating_points"] if set(r["flags"]) - {"gpus_corrected", "gpus_uncertain"}]
    hung = [r for r in doubted if r["framework"] == "atom" and r["concurrency"] == 512]
    assert len(doubted) < 0.05 * 435
    assert hung and all("arithmetic_off" in r["flags"] for r in hung)


def test_the_history_is_a_series_of_runs(past):
    records = past[1].rows["operating_points"]
    ended = {r["point_id"] for r in records if r.get("dated_to")}
    assert all(r["status"] == "active" for r in records if r.get("dated_to"))
    assert all(r["status"] == "superseded" for r in records if not r.get("dated_to"))
    assert 900 < len(ended) < 1462


def test_rows_in_the_newest_shape_load():
    records = read(body("api_rows_newest_shape_2026-09")).rows["operating_points"]
    assert fits("operating_points", records)
    assert [(r["accelerators"], r["flags"], r["weight_format"], r["framework_version_class"]) for r in records] == [
        (8, ["gpus_corrected"], "NVFP4", "commit")
    ] * 2
    assert [r["power_watts_gpu"] for r in records] == [645.911, 634.415]


@pytest.mark.parametrize(("attempt", "hit", "seconds"), [(1, 0.36214, 3291.8332), (2, 0.28667, 3549.68923)])
def test_agentic_rows_have_the_servers_hit_rate_and_not_the_theoretical_one(attempt, hit, seconds):
    (record,) = read(body(f"DERIVED_api_row_agentic_attempt{attempt}")).rows["operating_points"]
    assert (record["cache_hit_ratio"], record["duration_s"], record["flags"]) == (hit, seconds, [])
    assert (record["accelerators"], record["synthetic_acceptance"]) == (8, True)


def test_availability_and_evaluations_load():
    INFERENCEX.parse(bundle(capture(body("api_availability_2026-06"), "availability", f"{SITE}/api/v1/availability")))
    rows = json.loads(body("api_evaluations_2026-06"))
    said = INFERENCEX.parse(bundle(capture(rows, "evaluations", f"{SITE}/api/v1/evaluations")))
    figures = sum(not k.endswith("_se") and k != "n_eff" and v is not None for r in rows for k, v in r["metrics"].items())
    repeated = sum(int(w.split()[0]) for w in said.warnings if "repeat" in w)
    assert len(said.rows["evaluations"]) == figures - repeated
    assert fits("evaluations", said.rows["evaluations"])


def test_runs_of_a_day_are_attributed():
    runs = runs_of(json.loads(body("api_workflow_info_2026-06-14")))
    assert {r: attribute(r, "2026-06-14", runs, ["2026-06-14"])[0] for r in runs} == {
        "27485974465": "AMD",
        "27487999691": "SemiAnalysis",
        "27489075807": "AMD",
    }
    assert attribute("27487999691", "2026-06-14", runs, [])[1].endswith("https://github.com/SemiAnalysisAI/InferenceX/pull/1749")
