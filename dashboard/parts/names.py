"""Model names across sources: the same name whatever spaces, hyphens and capitals it is written with."""

from __future__ import annotations

import re

from dashboard import data

# Where names come from, the spelling that is preferred first.
_NAMES = (("models", "name"), ("agentperf_results", "model"), ("model_facts", "model"), ("operating_points", "model"), ("accuracy_gates", "model"))


def folded(name: str) -> str:
    """The name without differences of spelling, as the macro `fold_name` of the database makes it."""
    return re.sub(r"[\s_-]+", "-", name.strip().lower())


def spelled() -> list[str]:
    """Every model once, in its preferred spelling: those newest on AgentPerf first, then those measured, then by name."""
    parts = [
        f"SELECT {column} AS name, {n} AS place, valid_from FROM {table} WHERE {column} IS NOT NULL"
        for n, (table, column) in enumerate(_NAMES)
        if data.has(table)
    ]
    if not parts:
        return []
    found = data.rows(f"""
        SELECT arg_min(name, (place, name)) AS name,
               max(valid_from) FILTER (place = 1) AS on_agentperf, max(valid_from) FILTER (place = 3) AS measured
        FROM ({" UNION ALL ".join(parts)})
        GROUP BY tracker.main.fold_name(name) ORDER BY on_agentperf DESC NULLS LAST, measured DESC NULLS LAST, 1 LIMIT 5000""")
    return [r["name"] for r in found]
