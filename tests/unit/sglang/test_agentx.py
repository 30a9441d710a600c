"""Generated AgentX files: deployments that exist, without figures."""

import datetime as dt
import json

from pipelines.sources.sglang.agentx import agentx_points
from pipelines.sources.sglang.benchmarks import Place
from pipelines.sources.sglang.literals import read

CELL = {
    "id": "dsv41flash-fp4-gb300-dynamo-sglang-agentic-agg#1",
    "hw": "gb300",
    "ckpt": "deepseek-ai/DeepSeek-V4.1-Flash",
    "label": "Agg TP2·EP2",
    "gpus": 4,
    "configKey": "dsv41flash-fp4-gb300-dynamo-sglang-agentic-agg",
    "image": "lmsysorg/sglang:nightly-dev-20260928-81f27fb3@sha256:d9e4",
    "disclosures": ["synthetic-acceptance"],
    "prov": {"run": "37260940238/attempts/1", "status": "verified", "date": "2026-10-08"},
    "points": [{"concs": [1, 16], "goldenAL": "3.51", "kv": "hicache"}],
}


def records(*cells):
    data = {"model": "DeepSeek-V4.1", "source": {"repo": "https://github.com/SemiAnalysisAI/InferenceX"}, "cells": list(cells)}
    place = Place("docs/src/snippets/agentx/a/b.jsx", "https://github.com/x", "agentx:a/b", "b", dt.datetime(2026, 10, 8), "c")
    return agentx_points(read(f"export const agentx = {json.dumps(data)};".encode()), place).records


def test_each_concurrency_of_a_recipe_is_a_pending_point_without_figures():
    found = records(CELL)
    assert [(r["concurrency"], r["status"], r["scenario"]) for r in found] == [(1, "pending", "agentic_traces"), (16, "pending", "agentic_traces")]
    assert not [k for r in found for k in r if k.endswith("_tok_s_gpu")]


def test_a_recipe_tells_gpus_layout_offload_acceptance_image_and_run():
    record = records(CELL)[0]
    told = ("model", "accelerator", "accelerators", "tp", "ep", "disaggregated", "kv_offload", "precision", "verified")
    assert [record[k] for k in told] == ["DeepSeek-V4.1", "GB300", 4, 2, 2, False, "hicache", "fp4", True]
    assert (record["synthetic_acceptance"], record["synthetic_acceptance_from"]) == (True, "disclosures")
    assert (record["framework_version"], record["framework_version_class"]) == ("lmsysorg/sglang:nightly-dev-20260928-81f27fb3", "image")
    assert record["run_url"] == "https://github.com/SemiAnalysisAI/InferenceX/actions/runs/37260940238/attempts/1"


def test_a_recipe_in_progress_is_not_verified_and_fp4_names_no_weight_format():
    record = records({**CELL, "prov": {"status": "in-progress"}})[0]
    assert (record["verified"], record.get("run_id"), record["weight_format"]) == (False, None, None)


def test_a_recipe_keeps_its_identity_when_others_come_before_it():
    before = records(CELL)[0]["point_id"]
    shifted = records({**CELL, "label": "Disagg TP8", "id": "x#0"}, {**CELL, "id": CELL["id"].replace("#1", "#2")})
    assert before in {r["point_id"] for r in shifted}
