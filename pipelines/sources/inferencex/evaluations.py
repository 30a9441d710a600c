"""`evaluations`: accuracy measured beside the benchmarks, one record a figure."""

from __future__ import annotations

import datetime as dt
from typing import Any

from pipelines.names import accelerator
from pipelines.schema import canonical_json
from pipelines.sources.base import Bundle, NoData, Parsed
from pipelines.sources.inferencex.identity import COUNTS, FLAGS, LOOSE, NAMED, dimensions, point_ids
from pipelines.sources.inferencex.wire import Odd, age, day, decode_rows, flag, number, run_of, shares, text, whole

IN_COLUMNS = {*NAMED, *FLAGS, *COUNTS, *LOOSE, "task", "date", "metrics", "run_url"}
SAMPLES = "n_eff"
ERROR = "_se"

Row = dict[str, Any]


def parse_evaluations(bundle: Bundle) -> Parsed:
    """Read the evaluations; where rows repeat a figure of the same run, the newest by time and id counts.

    Raises Unreadable or NoData.
    """
    rows = decode_rows(bundle.body, "evaluations")
    if not rows:
        raise NoData("No evaluation at all.")
    names = bundle.parts[0].meta.get("names", {})
    odd, unmatched, repeated = Odd(), set(), 0
    records: dict[str, Row] = {}
    for row in sorted(rows, key=lambda r: age(r, "timestamp")):
        known = accelerator(text(row, "hardware"))
        if known is None:
            unmatched.add(str(text(row, "hardware")))
        common = _common(row, names, bundle.scope, odd) | {
            "accelerator": known.name if known else text(row, "hardware"),
            "vendor": known.vendor if known else None,
        }
        metrics = row.get("metrics") or {}
        for metric in sorted(metrics):
            if metric == SAMPLES or metric.endswith(ERROR) or (value := number(metrics, metric, odd)) is None:
                continue
            (evaluation,) = point_ids([row], "evaluation", text(row, "task"), metric)
            repeated += evaluation in records
            records[evaluation] = common | {
                "evaluation_id": evaluation,
                "metric": metric,
                "value": value,
                "standard_error": number(metrics, metric + ERROR, odd),
            }
    warnings = odd.sentences()
    if repeated:
        warnings.append(f"{repeated} figures repeat one of the same run; the newest of each was taken")
    return Parsed(
        rows={"evaluations": list(records.values())},
        fields={"evaluations": shares(rows, "metrics")},
        warnings=warnings,
        shape={"rows": len(rows)},
        unmatched_names=sorted(unmatched),
    )


def _common(row: Row, names: dict[str, str], scope: str, odd: Odd) -> Row:
    metrics = row.get("metrics") or {}
    measured_on = day(row, "date", odd)
    run_id, _ = run_of(text(row, "run_url"))
    key = text(row, "model")
    return {
        "model": names.get(key or "", key),
        "precision": text(row, "precision"),
        "framework": text(row, "framework"),
        "speculative_decoding": text(row, "spec_method"),
        "disaggregated": flag(row, "disagg", odd),
        "match": canonical_json({**dimensions(row), **{k: v for k in LOOSE if (v := row.get(k)) is not None}}),
        "concurrency": whole(row, "conc", odd),
        "task": text(row, "task"),
        "samples": whole(metrics, SAMPLES, odd),
        "run_id": run_id,
        "run_url": text(row, "run_url"),
        "measured_on": measured_on,
        "dated_from": dt.datetime.combine(measured_on, dt.time()) if measured_on else None,
        "date_source": "run_date" if measured_on else None,
        "source": "inferencex",
        "origin": "api",
        "provenance": "evaluator_measured",
        "source_url": scope,
        "extra": canonical_json({k: v for k, v in row.items() if k not in IN_COLUMNS and v is not None}),
    }
