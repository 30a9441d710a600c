"""Rows written by hand in the shapes the API has had, and bundles of them.

The agentic figures are those published of AgentX point 440845 (DeepSeek-V4-Pro on eight B300, September 2026).
"""

import datetime as dt
import json

from pipelines.sources.base import Bundle, Capture, Part
from pipelines.sources.inferencex.source import INFERENCEX

SITE = "https://inferencex.semianalysis.com"
MODEL = "Example-9"
SCOPE = f"{SITE}/api/v1/benchmarks?model={MODEL}"
RUNS = "https://github.com/SemiAnalysisAI/InferenceX/actions/runs"
STARTED = dt.datetime(2026, 6, 12, 23)


def june(**change):
    """A fixed-length row as of June 2026: no id, no benchmark_type, no offload_mode."""
    metrics = {
        "tput_per_gpu": 2250.0,
        "input_tput_per_gpu": 2000.0,
        "output_tput_per_gpu": 250.0,
        "median_ttft": 0.9,
        "mean_ttft": 1.0,
        "median_tpot": 0.03,
        "mean_tpot": 0.031,
        "median_intvty": 1 / 0.03,
        "p99_ttft": 2.5,
    }
    metrics |= change.pop("metrics", {})
    row = {
        "hardware": "b200",
        "framework": "sglang",
        "model": "ex9",
        "precision": "fp4",
        "spec_method": "none",
        "disagg": False,
        "is_multinode": False,
        "prefill_tp": 8,
        "prefill_ep": 1,
        "prefill_dp_attention": False,
        "prefill_num_workers": 0,
        "decode_tp": 8,
        "decode_ep": 1,
        "decode_dp_attention": False,
        "decode_num_workers": 0,
        "num_prefill_gpu": 8,
        "num_decode_gpu": 8,
        "isl": 8192,
        "osl": 1024,
        "conc": 64,
        "image": "lmsysorg/sglang:v0.5.12-cu130",
        "metrics": {k: v for k, v in metrics.items() if v is not None},
        "workers": None,
        "date": "2026-05-20",
        "run_url": f"{RUNS}/26100000001/attempts/1",
    }
    return row | change


def september(**change):
    """The same row as of September 2026: typed, with a fingerprint, its curve and configuration among the metrics."""
    metrics = {"pp": 1, "dcp_size": 1, "pcp_size": 1, "power_valid": 1, "power_metric_schema_version": 2, "avg_power_w": 640.5, "joules_per_total_token": 0.3}
    newer = {
        "id": "440123",
        "benchmark_type": "single_turn",
        "offload_mode": "off",
        "recipe_fingerprint": "c8ce592d",
        "curve_date": "2026-05-20",
        "curve_workflow_run_id": "2401",
    }
    return june(**{**newer, **change, "metrics": metrics | change.get("metrics", {})})


def agentic(**change):
    """An agentic row with the published figures of point 440845."""
    metrics = {
        "tput_per_gpu": 17480.42,
        "output_tput_per_gpu": 114.984,
        "input_tput_per_gpu": 17365.436,
        "total_tput_tps": 139843.35,
        "output_tput_tps": 919.875,
        "median_ttft": 1.836,
        "median_itl": 0.01289,
        "p90_itl": 0.0195,
        "p90_intvty": 1 / 0.0195,
        "duration_seconds": 3628.906,
        "total_requests_completed": 3410,
        "server_gpu_cache_hit_rate": 0.95871,
        "theoretical_cache_hit_rate": 0.968,
    }
    metrics |= change.pop("metrics", {})
    agent = {
        "id": "440845",
        "hardware": "b300",
        "benchmark_type": "agentic_traces",
        "offload_mode": "on",
        "spec_method": "mtp",
        "decode_ep": 8,
        "prefill_ep": 8,
        "isl": None,
        "osl": None,
        "conc": 32,
        "date": "2026-09-09",
        "run_url": f"{RUNS}/34000000001/attempts/1",
        "metrics": {k: v for k, v in metrics.items() if v is not None},
    }
    row = june(**{**agent, **change})
    row["metrics"] = agent["metrics"]
    return row


def capture(body, resource, scope=SCOPE, url=None, **meta):
    """A capture with its bytes."""
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Part(Capture("c", "inferencex", resource, scope, "s", url or scope, STARTED, "fetched", meta=meta), body)


def bundle(*parts, at=STARTED, started_at=STARTED):
    one = parts[0].capture
    return Bundle("inferencex", one.resource, one.scope, at, started_at, tuple(parts))


def read(rows, note=None, available=1, **more):
    """What the parser makes of a latest answer with its note."""
    return INFERENCEX.parse(bundle(capture(rows, "benchmarks", role="latest", available=available), capture(note or {}, "benchmarks", role="note"), **more))


def records(rows, note=None, **more):
    return read(rows, note, **more).rows["operating_points"]


def only(row, note=None):
    """The one record of a row."""
    (record,) = records([row], note)
    return record
