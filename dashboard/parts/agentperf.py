"""AgentPerf results as views show them: each figure once, and a service level in words."""

from __future__ import annotations

import datetime as dt

from dashboard import data
from dashboard.parts.numbers import rounded

Row = data.Row

# A figure entered by hand gives way to what was read from the page itself for the same model, accelerator and tier.
_RESULTS = """
SELECT * FROM agentperf_results r
WHERE metric = ? AND NOT (origin = 'curated' AND EXISTS (
  FROM agentperf_results o WHERE o.origin <> 'curated' AND o.metric = r.metric AND o.model_key IS NOT DISTINCT FROM r.model_key
    AND coalesce(o.accelerator, o.system) = coalesce(r.accelerator, r.system)
    AND (o.slo_p25_tok_s IS NOT DISTINCT FROM r.slo_p25_tok_s OR r.slo_p25_tok_s IS NULL)))
ORDER BY value DESC, system, model"""


def results(metric: str, as_of: dt.date | None = None) -> list[Row]:
    """The results of a metric that hold on a day, greatest first."""
    return data.rows(_RESULTS, [metric], as_of)


def tier(row: Row) -> str:
    """The service level of a result in words."""
    if row["slo_p25_tok_s"] is None:
        return row["slo_label"] or "a service level not published"
    wait = f", first token within {rounded(row['slo_p95_ttft_s'])} s" if row["slo_p95_ttft_s"] is not None else ""
    return f"{rounded(row['slo_p25_tok_s'])} tok/s per user{wait}"
