"""A benchmark row as a record of `operating_points`."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from pipelines.names import Accelerator, accelerator
from pipelines.schema import canonical_json
from pipelines.sources.inferencex.attribution import Runs, attribute
from pipelines.sources.inferencex.doubts import arithmetic, is_short
from pipelines.sources.inferencex.gpus import Throughput, near, physical, throughput
from pipelines.sources.inferencex.identity import COUNTS, FLAGS, LOOSE, NAMED, dimensions, is_agentic
from pipelines.sources.inferencex.images import image_class, is_unreleased
from pipelines.sources.inferencex.wire import Odd, day, flag, number, run_of, text, whole

IN_COLUMNS = {*NAMED, *FLAGS, *COUNTS, *LOOSE, "benchmark_type", "offload_mode", "image", "date", "run_url", "metrics"}
METRICS_IN_COLUMNS = {"tput_per_gpu", "median_ttft", "median_tpot", "duration_seconds", "total_requests_completed"}
GOLDEN_ACCEPTANCE = "InferenceX AgentX: simulated acceptance at the model's golden acceptance length"


@dataclass
class Context:
    """What a row needs besides itself: the model's display name, its public address and what the set says of runs."""

    model: str
    scope: str
    runs: Runs = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    images: dict[str, str] = field(default_factory=dict)
    aggregates: dict[str, Any] = field(default_factory=dict)
    outliers: set[str] = field(default_factory=set)
    odd: Odd = field(default_factory=Odd)
    unmatched: set[str] = field(default_factory=set)


def model_of(scope: str) -> str:
    """The display name in the address of a model's rows."""
    return parse_qs(urlsplit(scope).query)["model"][0]


def at_least_one(value: int | None) -> int | None:
    """The value where it counts something."""
    return value if value and value >= 1 else None


def record(row: dict[str, Any], point: str, status: str, context: Context) -> dict[str, Any]:
    """The row as a record, dated by its run date."""
    odd = context.odd
    metrics = row.get("metrics") or {}
    known = accelerator(text(row, "hardware"))
    if known is None and text(row, "hardware"):
        context.unmatched.add(str(text(row, "hardware")))
    measured_on = day(row, "date", odd)
    flow = throughput(row, odd)
    gpus = physical(row, known, odd)
    image = text(row, "image") or context.images.get(point)
    speed, mismatch = _interactivity(row, metrics, odd)
    hit, hit_kind, out_of_range = _cache_hits(metrics, odd)
    doubts = [
        "short_run" if is_short(row, odd) else None,
        "outlier" if point in context.outliers else None,
        "unreleased_image" if is_unreleased(image) else None,
        "io_mismatch" if flow.mismatch else None,
        "interactivity_mismatch" if mismatch else None,
        arithmetic(row, gpus.count, odd),
        "hit_out_of_range" if out_of_range else None,
        *gpus.flags,
    ]
    return {
        "point_id": point,
        "part": point,
        "status": status,
        "flags": sorted(f for f in doubts if f),
        **_deployment(row, metrics, known, odd),
        **_figures(row, metrics, flow, odd),
        **_power(metrics, odd),
        **_provenance(row, measured_on, context),
        "model": context.model,
        "accelerators": gpus.count,
        "accelerators_from": gpus.source,
        "nodes": gpus.nodes,
        "framework_version": image,
        "framework_version_class": image_class(image),
        "interactivity_tok_s": speed,
        "cache_hit_ratio": hit,
        "cache_hit_kind": hit_kind,
        "measured_on": measured_on,
        "dated_from": dt.datetime.combine(measured_on, dt.time()) if measured_on else None,
        "date_source": "run_date" if measured_on else None,
        "extra": _extra(row, metrics, context),
    }


def _deployment(row: dict[str, Any], metrics: dict[str, Any], known: Accelerator | None, odd: Odd) -> dict[str, Any]:
    disaggregated = flag(row, "disagg", odd)
    sides = ["decode", "prefill"] if disaggregated else ["decode"]
    tp, ep = ({whole(row, f"{side}_{what}", odd) for side in sides} for what in ("tp", "ep"))
    vendor, precision = known.vendor if known else None, text(row, "precision")
    speculative = text(row, "spec_method")
    simulated = None if speculative is None else is_agentic(row) and speculative != "none"
    return {
        "accelerator": known.name if known else text(row, "hardware"),
        "vendor": vendor,
        "precision": precision,
        "weight_format": {"fp4": {"NVIDIA": "NVFP4", "AMD": "MXFP4"}.get(vendor or ""), "fp8": "FP8", "bf16": "BF16", "int4": "INT4"}.get(precision or ""),
        "framework": text(row, "framework"),
        "tp": at_least_one(tp.pop()) if len(tp) == 1 else None,
        "ep": at_least_one(ep.pop()) if len(ep) == 1 else None,
        "dp": at_least_one(whole(metrics, "dp", odd)),
        "disaggregated": disaggregated,
        "speculative_decoding": speculative,
        "synthetic_acceptance": simulated,
        "synthetic_acceptance_from": GOLDEN_ACCEPTANCE if simulated else None,
        "kv_offload": _kv_offload(row, metrics),
        "match": canonical_json({**dimensions(row), **{k: v for k in LOOSE if (v := row.get(k)) is not None}}),
    }


def _figures(row: dict[str, Any], metrics: dict[str, Any], flow: Throughput, odd: Odd) -> dict[str, Any]:
    ttft, tpot = number(metrics, "median_ttft", odd), number(metrics, "median_tpot", odd)
    return {
        "scenario": "agentic_traces" if is_agentic(row) else "fixed_length",
        "isl": whole(row, "isl", odd),
        "osl": whole(row, "osl", odd),
        "concurrency": at_least_one(whole(row, "conc", odd)),
        "interactivity_kind": "p90_itl" if is_agentic(row) else "median_tpot",
        "total_tok_s_gpu": flow.total,
        "input_tok_s_gpu": flow.input,
        "output_tok_s_gpu": flow.output,
        "ttft_s": ttft,
        "ttft_percentile": "p50" if ttft is not None else None,
        "tpot_s": tpot,
        "tpot_percentile": "p50" if tpot is not None else None,
        "duration_s": number(metrics, "duration_seconds", odd),
        "requests_completed": whole(metrics, "total_requests_completed", odd),
    }


def _interactivity(row: dict[str, Any], metrics: dict[str, Any], odd: Odd) -> tuple[float | None, bool]:
    """Output speed per user, and whether it contradicts the latency it is the inverse of."""
    stated, latencies = ("p90_intvty", ("p90_full_response_itl", "p90_itl")) if is_agentic(row) else ("median_intvty", ("median_tpot", "median_itl"))
    speed = number(metrics, stated, odd)
    latency = next((value for k in latencies if (value := number(metrics, k, odd))), None)
    if speed is None:
        return (1 / latency if latency else None), False
    if not is_agentic(row):
        latency = number(metrics, "median_tpot", odd)
    return speed, bool(latency) and not near(speed * (latency or 0), 1)


def _cache_hits(metrics: dict[str, Any], odd: Odd) -> tuple[float | None, str, bool]:
    """Hit rate of the server (GPU, and external where present, else CPU), its kind, and whether it is out of range.

    The rate of an infinite cache that the trace allows (`theoretical_cache_hit_rate`) is never put in its place.
    """
    gpu = number(metrics, "server_gpu_cache_hit_rate", odd)
    if gpu is None:
        return None, "missing", False
    below = number(metrics, "server_external_cache_hit_rate", odd)
    if below is None:
        below = number(metrics, "server_cpu_cache_hit_rate", odd)
    ratio = gpu + (below or 0)
    return (ratio, "server", False) if 0 <= ratio <= 1 else (None, "server", True)


def _kv_offload(row: dict[str, Any], metrics: dict[str, Any]) -> str | None:
    """Where the KV cache spills to: `none`, or the source's own word for it."""
    mode, where = text(row, "offload_mode") or text(metrics, "offload_mode"), text(metrics, "kv_offloading")
    if where and where.lower() != "none":
        return where
    if mode:
        return "cpu_dram" if mode.lower() == "on" else "none"
    return where


def _power(metrics: dict[str, Any], odd: Odd) -> dict[str, Any]:
    """Measured power and energy: only where the source calls them valid and joules are of the whole deployment."""
    if number(metrics, "power_valid", odd) != 1 or number(metrics, "power_metric_schema_version", odd) != 2:
        return {}
    return {"power_watts_gpu": number(metrics, "avg_power_w", odd), "joules_total_token": number(metrics, "joules_per_total_token", odd)}


def _provenance(row: dict[str, Any], measured_on: dt.date | None, context: Context) -> dict[str, Any]:
    run_id, _ = run_of(text(row, "run_url"))
    to, why = attribute(run_id, str(measured_on), context.runs, context.asked)
    page, number_ = urlsplit(context.scope), text(row, "id")
    deep = is_agentic(row) and number_ is not None and number_.isdecimal()
    return {
        "run_id": run_id,
        "run_url": text(row, "run_url"),
        "attributed_to": to,
        "attribution": why,
        "source": "inferencex",
        "origin": "api",
        "provenance": "evaluator_measured",
        "source_url": f"{page.scheme}://{page.netloc}/inference/agentic/{number_}" if deep else context.scope,
    }


def _extra(row: dict[str, Any], metrics: dict[str, Any], context: Context) -> str:
    extra = {k: v for k, v in row.items() if k not in IN_COLUMNS and v is not None}
    extra["metrics"] = {k: v for k, v in metrics.items() if v is not None and (k not in METRICS_IN_COLUMNS or isinstance(v, str))}
    if aggregates := context.aggregates.get(str(text(row, "id"))):
        extra["agentic_aggregates"] = aggregates
    return canonical_json(extra)
