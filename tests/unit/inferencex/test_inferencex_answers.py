"""What the parsers make of the site's other answers, and of bytes that are none."""

import datetime as dt
import json

import pytest

from pipelines.schema import frame
from pipelines.sources.base import NoData, Unreadable
from pipelines.sources.inferencex.attribution import attribute, runs_of
from pipelines.sources.inferencex.discovery import listed_models
from pipelines.sources.inferencex.source import INFERENCEX
from pipelines.tables import TABLES
from tests.unit.inferencex.by_hand import RUNS, SITE, agentic, bundle, capture, june, read

SIGN_IN = b"<!doctype html><html><title>Just a moment...</title><form action='/login'></form></html>"


def parse(resource, body, scope=f"{SITE}/api/v1/x", **meta):
    return INFERENCEX.parse(bundle(capture(body, resource, scope, **meta)))


@pytest.mark.parametrize("resource", ["openapi", "options", "availability", "benchmarks", "past_rows", "evaluations", "workflow_info", "aggregates"])
@pytest.mark.parametrize("body", [b"", b"\n ", SIGN_IN, b"\xf5\x9a\x00", b'[{"id": 1', b'"a text"', b"7", b'{"error": "Unknown model"', b"[" * 100_000])
def test_bytes_that_are_not_the_answer_are_unreadable(resource, body):
    with pytest.raises(Unreadable):
        parse(resource, body)


@pytest.mark.parametrize("body", [b'{"error": "Unknown model"}', b"[1]", b'[{"metrics": []}]', b"[null]"])
def test_json_of_another_shape_is_unreadable(body):
    with pytest.raises(Unreadable):
        read(body)


def test_an_error_object_is_quoted_in_the_message():
    with pytest.raises(Unreadable, match="Unknown model"):
        read(b'{"error": "Unknown model"}')


def test_nan_counts_as_missing():
    (point,) = read(json.dumps([june(metrics={"median_ttft": float("nan")})]).encode()).rows["operating_points"]
    assert point["ttft_s"] is None


def test_no_rows_of_a_model_that_availability_lists_is_no_data():
    with pytest.raises(NoData, match="availability lists 3"):
        read([], available=3)


def test_no_rows_where_availability_is_not_known_is_no_data():
    with pytest.raises(NoData):
        read([], available=None)


def test_no_rows_of_a_model_without_availability_is_an_answer():
    said = read([], available=0)
    assert said.may_be_empty
    assert said.rows == {"operating_points": []}
    assert said.suspicions == []


def test_a_set_without_its_note_is_no_snapshot():
    with pytest.raises(NoData, match="ended before"):
        INFERENCEX.parse(bundle(capture([june()], "benchmarks", role="latest", available=1)))


def options(**cost):
    return {
        "models": [{"name": "Example-9", "dbKeys": ["ex9", "ex9.1"]}],
        "hardware": [{"key": "b300", "label": "B300", "vendor": "NVIDIA", "tdpW": 1100, "costPerHour": {"h": 2.26, "r": 4.25, **cost}}],
    }


def test_prices_have_both_bases():
    prices = parse("options", options(), f"{SITE}/api/v1/views/options?format=json").rows["prices"]
    assert [(p["item"], p["component"], p["seller"], p["price_basis"], p["low"], p["high"], p["unit"]) for p in prices] == [
        ("B300", "gpu_hour", "SemiAnalysis TCO model", "owning", 2.26, 2.26, "usd_gpu_h"),
        ("B300", "gpu_hour", "SemiAnalysis TCO model", "rental", 4.25, 4.25, "usd_gpu_h"),
    ]
    assert {(p["source"], p["origin"], p["source_url"]) for p in prices} == {("inferencex", "api", f"{SITE}/api/v1/views/options?format=json")}
    assert frame(TABLES["prices"], prices)[1] == []


def test_a_missing_price_is_no_row_and_a_price_of_nothing_is_reported():
    said = parse("options", {"hardware": [*options(h=None)["hardware"], *options(r=0)["hardware"]]})
    assert [(p["price_basis"], p["low"]) for p in said.rows["prices"]] == [("rental", 4.25), ("owning", 2.26)]
    assert any("`costPerHour.r` is no price" in w for w in said.warnings)


@pytest.mark.parametrize("hardware", [[], None, [{"key": "b300"}], [{"key": "b300", "costPerHour": {"h": None}}], "many"])
def test_options_without_any_price_are_no_data(hardware):
    with pytest.raises(NoData):
        parse("options", options() | {"hardware": hardware})


def openapi(schema, parameter=True):
    named = {"name": "model", "in": "query", "schema": schema}
    return {
        "paths": {"/api/v1/benchmarks": {"get": {"parameters": [{"name": "date"}, named] if parameter else []}}},
        "components": {"schemas": {"Model": {"type": "string", "enum": ["A", "B"]}}},
    }


ON_THE_PATH = {"paths": {"/api/v1/benchmarks": {"get": {}, "parameters": [{"name": "model", "schema": {"enum": ["A", "B"]}}]}}}


@pytest.mark.parametrize(
    "document",
    [openapi({"enum": ["A", "B"]}), openapi({"$ref": "#/components/schemas/Model"}), openapi({"anyOf": [{"type": "null"}, {"enum": ["A", "B"]}]}), ON_THE_PATH],
)
def test_models_are_those_the_benchmarks_endpoint_takes(document):
    assert listed_models(document) == ["A", "B"]
    assert parse("openapi", document).shape["models"] == ["A", "B"]


@pytest.mark.parametrize(
    "document", [{}, {"paths": []}, {"paths": {"/api/v1/benchmarks": None}}, openapi({}), openapi({"$ref": "#/components/nowhere"}), openapi({}, False)]
)
def test_a_description_without_models_is_no_data(document):
    with pytest.raises(NoData):
        parse("openapi", document)


INFO = {
    "runs": [
        {"github_run_id": "11", "name": "Run Sweep - [AMD] feat: day-zero recipe"},
        {"github_run_id": 12, "name": "Run Sweep - [NV] add recipe"},
        {"github_run_id": "13", "name": "Run Sweep - [Klaud Cold][AI draft test] recipe"},
        {"github_run_id": "14", "name": "Run Sweep - bump image"},
        {"github_run_id": "15", "name": "[AMD] and [NVIDIA] together"},
    ],
    "changelogs": [
        {"workflow_run_id": "11", "pr_link": "https://github.com/x/y/pull/1"},
        {"workflow_run_id": "11", "pr_link": "https://github.com/x/y/pull/1"},
        {"workflow_run_id": "16", "pr_link": "https://github.com/x/y/pull/2"},
    ],
}


@pytest.mark.parametrize(
    ("run_id", "submitter", "words"),
    [
        ("11", "AMD", "tag [AMD] in the name of run 11, pull request https://github.com/x/y/pull/1"),
        ("12", "NVIDIA", "tag [NV] in the name of run 12"),
        ("13", "SemiAnalysis", "tag [Klaud Cold] in the name of run 13"),
        ("14", "unknown", "no submitter tag in the name of run 14"),
        ("15", "unknown", "contradicting tags in the name of run 15"),
        ("16", "unknown", "no submitter tag in the name of run 16, pull request https://github.com/x/y/pull/2"),
        ("17", "unknown", "workflow-info of 2026-06-14 does not name run 17"),
        (None, "unknown", "the row names no run"),
    ],
)
def test_a_run_is_attributed_by_the_tag_in_its_name(run_id, submitter, words):
    assert attribute(run_id, "2026-06-14", runs_of(INFO), ["2026-06-14"]) == (submitter, words)


def test_a_day_that_was_not_asked_for_is_told_from_one_that_names_nobody():
    assert attribute("11", "2026-06-15", {}, ["2026-06-14"])[1] == "workflow-info of 2026-06-15 has not been had yet"


def test_the_note_carries_attribution_to_the_points():
    (point,) = read([agentic()], {"runs": {"34000000001": {"name": "[NVIDIA] curve", "pull_requests": []}}, "asked_days": ["2026-09-09"]}).rows[
        "operating_points"
    ]
    assert (point["attributed_to"], point["attribution"]) == ("NVIDIA", "tag [NVIDIA] in the name of run 34000000001")


def evaluation(**change):
    row = june(metrics={}) | {"id": "7439", "task": "gsm8k", "timestamp": "2026-06-14T04:08:16Z", "date": "2026-06-14", "run_url": f"{RUNS}/27485974465"}
    row["metrics"] = {"n_eff": 1319, "em_strict": 0.9575, "em_flexible": 0.9568, "em_strict_se": 0.0056}
    del row["isl"], row["osl"]
    return row | change


def test_an_evaluation_is_one_row_a_figure():
    rows = parse("evaluations", [evaluation()], names={"ex9": "Example-9"}).rows["evaluations"]
    assert [(r["metric"], r["value"], r["standard_error"], r["samples"]) for r in rows] == [
        ("em_flexible", 0.9568, None, 1319),
        ("em_strict", 0.9575, 0.0056, 1319),
    ]
    assert {(r["model"], r["accelerator"], r["task"], r["concurrency"], r["measured_on"], r["run_id"]) for r in rows} == {
        ("Example-9", "B200", "gsm8k", 64, dt.date(2026, 6, 14), "27485974465")
    }
    assert len({r["evaluation_id"] for r in rows}) == 2
    data, failures = frame(TABLES["evaluations"], rows)
    assert failures == []
    TABLES["evaluations"].schema.validate(data, lazy=True)


def test_a_model_without_a_display_name_keeps_its_key():
    assert {r["model"] for r in parse("evaluations", [evaluation()]).rows["evaluations"]} == {"ex9"}


def test_a_repeated_evaluation_is_taken_once_the_newest():
    later = evaluation(id="7440", timestamp="2026-06-14T09:00:00Z", metrics={"score": 0.5})
    said = parse("evaluations", [later, evaluation(metrics={"score": 0.4})])
    assert [r["value"] for r in said.rows["evaluations"]] == [0.5]
    assert any("newest of each" in w for w in said.warnings)


def test_no_evaluation_at_all_is_no_data():
    with pytest.raises(NoData):
        parse("evaluations", [])
