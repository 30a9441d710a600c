"""Which rows are the same point, and which points are of the same line.

InferenceX rows carry an `id` only since July 2026, and a row's metrics are upserted in place under it. The natural
key is what was run and where: GitHub run and attempt, and every dimension of the deployment. Three fields are left
out because the source fills or mends them later (`recipe_fingerprint`, the two GPU counts); they tell points apart
only where everything else is the same.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

from pipelines.schema import content_id
from pipelines.sources.inferencex.wire import Odd, flag, run_of, text, whole

NAMED = ("hardware", "framework", "model", "precision", "spec_method")
FLAGS = ("disagg", "is_multinode", "prefill_dp_attention", "decode_dp_attention")
COUNTS = ("prefill_tp", "prefill_ep", "prefill_num_workers", "decode_tp", "decode_ep", "decode_num_workers", "isl", "osl", "conc")
LOOSE = ("recipe_fingerprint", "num_prefill_gpu", "num_decode_gpu")
# Dimensions that ride in `metrics`; 1 (or nothing) is what a row without them means.
RIDING = ("pp", "prefill_pp", "decode_pp", "pcp_size", "prefill_pcp_size", "decode_pcp_size", "dcp_size", "prefill_dcp_size", "decode_dcp_size", "dp")


def is_agentic(row: dict[str, Any]) -> bool:
    """Whether the row is of agentic traces; rows of before July 2026 say nothing and are of fixed lengths."""
    return row.get("benchmark_type") == "agentic_traces" or (row.get("benchmark_type") is None and row.get("isl") is None)


def usable(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of fixed lengths or agentic traces; any other kind of benchmark is not to be mixed with them."""
    return [row for row in rows if row.get("benchmark_type") in (None, "single_turn", "agentic_traces")]


def dimensions(row: dict[str, Any]) -> dict[str, Any]:
    """What was run, the same for the same deployment in every shape the rows have had."""
    odd = Odd()
    metrics = row.get("metrics") or {}
    found: dict[str, Any] = {k: text(row, k) for k in NAMED}
    found |= {k: flag(row, k, odd) for k in FLAGS}
    found |= {k: whole(row, k, odd) for k in COUNTS}
    found["benchmark_type"] = text(row, "benchmark_type") or ("agentic_traces" if is_agentic(row) else "single_turn")
    found["offload_mode"] = text(row, "offload_mode") or "off"
    found |= {k: v for k in RIDING if k in metrics and (v := whole(metrics, k, odd)) not in (None, 0, 1)}
    return found


def natural_key(row: dict[str, Any]) -> tuple[str, int, str]:
    """Run, attempt and dimensions. A row without a run counts its date as the run."""
    run, attempt = run_of(text(row, "run_url"))
    return run or f"date {row.get('date')}", attempt, json.dumps(dimensions(row), sort_keys=True)


def point_ids(rows: list[dict[str, Any]], *kind: Any) -> list[str]:
    """Ids of the rows' points, in order; `kind` tells rows of another kind (evaluations) apart."""
    keys = [natural_key(row) for row in rows]
    values: dict[tuple[Any, ...], set[str]] = defaultdict(set)
    for key, row in zip(keys, rows, strict=True):
        for name in LOOSE:
            if (value := text(row, name)) is not None:
                values[(*key, name)].add(value)
    found = []
    for key, row in zip(keys, rows, strict=True):
        telling = [text(row, name) for name in LOOSE if len(values[(*key, name)]) > 1]
        found.append(content_id("inferencex", *kind, *key, *telling))
    return found


def line(row: dict[str, Any]) -> tuple[str | None, ...]:
    """The line of a row: what a newer run replaces as a whole in the latest answer."""
    sizes = tuple(text(row, k) for k in ("isl", "osl"))
    return (*(text(row, k) for k in NAMED), str(row.get("disagg")), *sizes, "agentic" if is_agentic(row) else "fixed")
