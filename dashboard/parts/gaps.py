"""How far the best systems of two vendors stand apart on one model, and what that was before."""

from __future__ import annotations

import datetime as dt

from markupsafe import Markup

from dashboard import data
from dashboard.parts import names
from dashboard.parts.html import prose
from dashboard.parts.numbers import day, percent, share

Row = data.Row


def widest(model: str, as_of: dt.date | None) -> Row | None:
    """The best system of one vendor held against the best of another by throughput per MW, with its `before` where it had another value."""
    if not data.has("system_gap"):
        return None
    found = data.one(
        """SELECT * FROM system_gap WHERE of_kind = 'agentperf' AND metric = 'throughput_tok_s_mw' AND model_key = ? AND vendor <> other_vendor AND ratio <= 1
           ORDER BY origin = 'curated', other_value DESC, value DESC, other_system, system LIMIT 1""",
        [model],
        as_of,
    )
    if not found:
        return None
    before = data.one(
        """SELECT value, configured_by, valid_to FROM tracker.main.agentperf_results
           WHERE result_id = ? AND origin = ? AND value <> ? AND valid_to <= ? ORDER BY valid_to DESC LIMIT 1""",
        [found["key"], found["origin"], found["value"], found["valid_from"]],
    )
    return {**found, "before": before}


def sentence(found: Row) -> Markup:
    """What one system reaches of the other, and what it was before."""
    before, was = found["before"], ""
    if before:
        by = f", configured by {before['configured_by']}" if before["configured_by"] and before["configured_by"] != found["configured_by"] else ""
        way = "up" if before["value"] < found["value"] else "down"
        was = f", {way} from {percent(before['value'] / found['other_value'])} until {day(before['valid_to'])}{by}"
    what = f"of {found['other_system']} in tokens per second per MW on {names.label(found['model_key'])}{was}."
    return prose(f"{found['system']} stands at", share(found["ratio"]), what)
