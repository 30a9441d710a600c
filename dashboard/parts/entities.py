"""What can be followed over time: how an entity of each history table is told apart, named and drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from dashboard import data
from dashboard.parts.html import view_link
from dashboard.parts.numbers import UNITS


@dataclass(frozen=True)
class Kind:
    """A history table: `key` are the columns that tell its entities apart, `label` is SQL over its columns, `figures` its numbers with their units."""

    title: str
    key: tuple[str, ...]
    label: str
    figures: dict[str, str]

    @property
    def identity(self) -> str:
        """SQL for what tells an entity apart, as one text."""
        return self.key[0] if len(self.key) == 1 else f"concat_ws('|', {', '.join(self.key)})"

    def identity_of(self, row: Mapping[str, Any]) -> str:
        """The same of a row; empty where it does not hold these columns."""
        return "|".join(str(row[c]) for c in self.key if row.get(c) is not None)


def _in_words(metric: str) -> str:
    units = " ".join(f"WHEN '{name}' THEN '{unit}'" for name, unit in UNITS.items())
    return f"CASE {metric} {units} ELSE replace({metric}, '_', ' ') END"


USD_MTOK = "USD per M tokens"
KINDS = {
    "agentperf_results": Kind(
        "AgentPerf results",
        ("result_id",),
        f"concat_ws(' · ', model, system, coalesce(format('{{:g}} tok/s', slo_p25_tok_s), slo_label), {_in_words('metric')})",
        {"value": ""},
    ),
    "models": Kind(
        "Model listings",
        ("model_id",),
        "name",
        {
            "input_usd_mtok": USD_MTOK,
            "output_usd_mtok": USD_MTOK,
            "cached_input_usd_mtok": USD_MTOK,
            "blend_7_2_1_usd_mtok": USD_MTOK,
            "intelligence_index": "index points",
            "output_tok_s": "tok/s",
            "ttft_s": "s",
            "index_usd_task": "USD per task",
        },
    ),
    "operating_points": Kind(
        "Operating points",
        ("point_id",),
        "concat_ws(' · ', model, accelerator, precision, scenario, isl || '/' || osl, framework, 'concurrency ' || concurrency)",
        {
            "total_tok_s_gpu": "tok/s per GPU",
            "output_tok_s_gpu": "tok/s per GPU",
            "interactivity_tok_s": "output tok/s per user",
            "ttft_s": "s",
            "cache_hit_ratio": "share",
        },
    ),
    "prices": Kind(
        "Prices",
        ("item", "component", "seller", "price_basis", "unit"),
        "concat_ws(' · ', item, component, price_basis, seller)",
        {"low": "USD", "high": "USD"},
    ),
    "stated_costs": Kind(
        "Stated costs",
        ("model", "accelerator", "interactivity_tok_s", "cost_of", "price_basis"),
        "concat_ws(' · ', model, accelerator, format('{:g} tok/s', interactivity_tok_s), price_basis)",
        {"usd_mtok": USD_MTOK},
    ),
    "accelerator_power": Kind(
        "Power per accelerator", ("accelerator", "power_basis"), "concat_ws(' · ', accelerator, power_basis)", {"kw": "kW", "kw_high": "kW"}
    ),
    "accuracy_gates": Kind(
        "Accuracy gates",
        ("gate_id",),
        "concat_ws(' · ', model, accelerator, replace(metric, '_', ' '), name)",
        {"threshold": "threshold", "evidence_value": "measured"},
    ),
    "configurations": Kind("Configurations", ("config_id",), "concat_ws(' · ', model, system, title)", {"accelerators": "accelerators"}),
    "methodologies": Kind("Benchmark rules", ("benchmark",), "benchmark", {"input_tokens_mean": "tokens", "output_tokens_median": "tokens"}),
    "pull_requests": Kind("Pull requests", ("repo", "number"), "concat_ws(' ', '#' || number, title)", {}),
    "model_facts": Kind("Facts on models", ("model", "fact"), "concat_ws(' · ', model, replace(fact, '_', ' '))", {"value": "see unit"}),
}


def known() -> dict[str, Kind]:
    """The kinds whose table is published."""
    return {name: kind for name, kind in KINDS.items() if data.has(name)}


def search(table: str, words: str, limit: int = 200) -> list[data.Row]:
    """Entities with this id, or whose label holds every word: those that ever changed first, of these the latest first.

    A row holds `identity`, `label`, and `place`, the number among those of the same label.
    """
    kind = KINDS[table]
    wanted = words.lower().split()
    holds = " AND ".join(["contains(lower(label), ?)"] * len(wanted)) or "true"
    return data.rows(
        f"""SELECT identity, label, row_number() OVER (PARTITION BY label ORDER BY since DESC, identity) AS place
            FROM (SELECT {kind.identity} AS identity, arg_max({kind.label}, valid_from) AS label, max(valid_from) AS since,
                         count(DISTINCT valid_from) > 1 AS changed FROM tracker.main.{table} GROUP BY 1)
            WHERE identity = ? OR {holds} ORDER BY changed DESC, since DESC, label, place LIMIT {limit}""",
        [words.strip(), *wanted],
    )


def history_link(table: str, row: Mapping[str, Any], label: str = "history") -> Markup:
    """A link to the history of a row's entity; nothing where the row does not name it."""
    identity = KINDS[table].identity_of(row) if table in KINDS else ""
    return view_link("history", label, kind=KINDS[table].title, find=identity) if identity else Markup("")


def versions(table: str, identity: str) -> list[data.Row]:
    """Every version of an entity, from all sources, oldest first."""
    return data.rows(f"SELECT * FROM tracker.main.{table} WHERE {KINDS[table].identity} = ? ORDER BY valid_from, source, origin LIMIT 2000", [identity])


def changed_columns(rows: Sequence[data.Row]) -> list[str]:
    """Columns that differ between the versions, without those that tell of the version itself."""
    skipped = {"valid_from", "valid_to", "date_source", "changed_after", "recorded_at", "scope", "snapshot_id", "version_id", "ended_by", "extra"}
    names: list[str] = list(rows[0]) if rows else []
    return [n for n in names if n not in skipped and len({_plain(r[n]) for r in rows}) > 1]


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
