"""Model names: one label for each model, whichever way its sources write it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import streamlit as st

from dashboard import data
from dashboard.parts import controls

# Where spellings come from, the preferred one first.
_SPELLINGS = (("models", "name"), ("agentperf_results", "model"), ("model_facts", "model"), ("operating_points", "model"), ("accuracy_gates", "model"))


def key_of(column: str) -> str:
    """SQL for the key of a model named in this column, for tables that hold the name alone."""
    folded = f"tracker.main.fold_name({column})"
    return f"coalesce((SELECT any_value(n.model_key) FROM tracker.main.model_names n WHERE n.name = {folded}), {folded})"


def labels() -> Mapping[str, str]:
    """The label of every model by its key: those newest on AgentPerf first, then those measured, then by name."""
    return _labels(data.in_use())


@st.cache_resource(max_entries=2, show_spinner=False)
def _labels(file: data.Published) -> Mapping[str, str]:
    there = [(n, table, column) for n, (table, column) in enumerate(_SPELLINGS) if "model_key" in data.columns(table)]
    if not there:
        return {}
    parts = [
        f"SELECT model_key, {column} AS name, {2 * n} + (origin = 'curated')::INT AS place, valid_from, '{table}' AS told_by FROM {table}"
        for n, table, column in there
    ]
    found = data.rows(f"""
        SELECT model_key, arg_min(name, (place, name)) AS name,
               max(valid_from) FILTER (told_by = 'agentperf_results') AS on_agentperf, max(valid_from) FILTER (told_by = 'operating_points') AS measured
        FROM ({" UNION ALL ".join(parts)}) WHERE model_key IS NOT NULL AND name IS NOT NULL
        GROUP BY model_key ORDER BY on_agentperf DESC NULLS LAST, measured DESC NULLS LAST, name LIMIT 5000""")
    named: dict[str, str] = {}
    taken: set[str] = set()
    for row in found:
        named[row["model_key"]] = row["name"] if row["name"] not in taken else f"{row['name']} ({row['model_key']})"
        taken.add(row["name"])
    return MappingProxyType(named)


def choose(keys: Iterable[str | None], label: str = "Model") -> str | None:
    """Let the reader choose one of these models, the first as a start; its key."""
    wanted = [k for k in dict.fromkeys(keys) if k]
    named = labels()
    by_label = {named.get(k, k): k for k in wanted}
    picked = controls.choice(label, list(by_label), "model")
    return by_label.get(picked) if picked else None


def label(key: str | None) -> str:
    """The label of a model."""
    return labels().get(key or "", key or "not named")
