"""Reasons for doubt about a row, as flags.

short_run               an agentic run of less than 90 % of the hour (InferenceX-app pull request 761)
outlier                 an agentic point at more than three times (or less than a third of) both its neighbours
unreleased_image        a container image of a development branch or a pull request
io_mismatch             input and output do not add up to the total within 1 %
interactivity_mismatch  speed per user and latency per token are not each other's inverse within 1 %
arithmetic_off          throughput is not what concurrency and latency give, by more than 5 %
unit_suspect            it is off by just the factor that confounds total and output throughput
hit_out_of_range        a cache hit rate below 0 or above 1
gpus_corrected          the row claims another number of GPUs than the deployment has
gpus_uncertain          the row's GPU counts contradict its own throughput
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

from pipelines.sources.inferencex.gpus import near
from pipelines.sources.inferencex.identity import dimensions, is_agentic
from pipelines.sources.inferencex.wire import Odd, number, run_of, text, whole

FULL_RUN_S = 3240
OUTLIER_FACTOR = 3
TOLERATED = (("mean", 0.05), ("median", 0.10))


def is_short(row: dict[str, Any], odd: Odd) -> bool:
    """Whether an agentic run measured less than 90 % of the hour; runs that do not say are not short."""
    duration = number(row.get("metrics") or {}, "duration_seconds", odd)
    return is_agentic(row) and duration is not None and duration < FULL_RUN_S


def arithmetic(row: dict[str, Any], gpus: int | None, odd: Odd) -> str | None:
    """Whether a fixed-length row's throughput follows from its concurrency and latencies (Little's law).

    Expected total per GPU = concurrency x (isl + osl) / (TTFT + (osl - 1) x TPOT) / GPUs. The law is one of means;
    the history has medians only, with which 4 % of the aggregated rows of June 2026 fall outside 10 % (5 % of them
    outside 5 % with means). Aggregated deployments only: router queues move disaggregated ones by 5 to 20 %.
    """
    metrics = row.get("metrics") or {}
    if is_agentic(row) or row.get("disagg") or not gpus:
        return None
    isl, osl, concurrency, total = whole(row, "isl", odd), whole(row, "osl", odd), whole(row, "conc", odd), number(metrics, "tput_per_gpu", odd)
    latencies = [(number(metrics, f"{statistic}_ttft", odd), number(metrics, f"{statistic}_tpot", odd), share) for statistic, share in TOLERATED]
    ttft, tpot, tolerance = next((found for found in latencies if None not in found), (None, None, 0.0))
    if not isl or not osl or not concurrency or not total or ttft is None or tpot is None or ttft + (osl - 1) * tpot <= 0:
        return None
    ratio = total * gpus * (ttft + (osl - 1) * tpot) / (concurrency * (isl + osl))
    if near(ratio, osl / (isl + osl), 0.02):
        return "unit_suspect"
    return None if abs(ratio - 1) <= tolerance else "arithmetic_off"


def outliers(rows: list[dict[str, Any]], ids: list[str]) -> set[str]:
    """Agentic points far above or far below both neighbours in concurrency, within one run of one deployment."""
    odd = Odd()
    runs: dict[tuple[Any, ...], dict[int, tuple[float, str]]] = defaultdict(dict)
    for row, point in zip(rows, ids, strict=True):
        total = number(row.get("metrics") or {}, "tput_per_gpu", odd)
        concurrency = whole(row, "conc", odd)
        if is_agentic(row) and total and concurrency:
            deployment = {k: v for k, v in dimensions(row).items() if k != "conc"}
            runs[(*run_of(text(row, "run_url")), json.dumps(deployment, sort_keys=True))][concurrency] = (total, point)
    found = set()
    for points in runs.values():
        ordered = [points[c] for c in sorted(points)]
        for (before, _), (total, point), (after, _) in zip(ordered, ordered[1:], ordered[2:], strict=False):
            if total > OUTLIER_FACTOR * max(before, after) or total * OUTLIER_FACTOR < min(before, after):
                found.add(point)
    return found
