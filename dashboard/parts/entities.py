"""What can be followed over time: how an entity of each history table is told apart, named and drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from dashboard import data
from dashboard.parts.html import view_link


@dataclass(frozen=True)
class Kind:
    """A history table: `identity` and `label` are SQL over its columns, `figures` its numbers with their units."""

    title: str
    identity: str
    label: str
    figures: dict[str, str]


def _key(*columns: str) -> str:
    return f"concat_ws('|', {', '.join(columns)})"


USD_MTOK = "USD per M tokens"
KINDS = {
    "agentperf_results": Kind(
        "AgentPerf results",
        "result_id",
        "concat_ws(' · ', model, system, coalesce(slo_p25_tok_s || ' tok/s', slo_label), metric)",
        {"value": ""},
    ),
    "models": Kind(
        "Model listings",
        "model_id",
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
        "point_id",
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
        _key("item", "component", "seller", "price_basis", "unit"),
        "concat_ws(' · ', item, component, price_basis, seller)",
        {"low": "USD", "high": "USD"},
    ),
    "stated_costs": Kind(
        "Stated costs",
        _key("model", "accelerator", "interactivity_tok_s", "cost_of", "price_basis"),
        "concat_ws(' · ', model, accelerator, interactivity_tok_s || ' tok/s', price_basis)",
        {"usd_mtok": USD_MTOK},
    ),
    "accelerator_power": Kind(
        "Power per accelerator", _key("accelerator", "power_basis"), "concat_ws(' · ', accelerator, power_basis)", {"kw": "kW", "kw_high": "kW"}
    ),
    "accuracy_gates": Kind(
        "Accuracy gates", "gate_id", "concat_ws(' · ', model, accelerator, metric, name)", {"threshold": "threshold", "evidence_value": "measured"}
    ),
    "configurations": Kind("Configurations", "config_id", "concat_ws(' · ', model, system, title)", {"accelerators": "accelerators"}),
    "methodologies": Kind("Benchmark rules", "benchmark", "benchmark", {"input_tokens_mean": "tokens", "output_tokens_median": "tokens"}),
    "pull_requests": Kind("Pull requests", _key("repo", "number"), "concat_ws(' ', '#' || number, title)", {}),
    "model_facts": Kind("Facts on models", _key("model", "fact"), "concat_ws(' · ', model, fact)", {"value": "see unit"}),
}


def known() -> dict[str, Kind]:
    """The kinds whose table is published."""
    return {name: kind for name, kind in KINDS.items() if data.has(name)}


def search(table: str, words: str, limit: int = 200) -> list[data.Row]:
    """Entities with this id, or whose label holds every word, those that changed most lately first.

    A row holds `identity`, `label`, and `place`, the number among those of the same label.
    """
    kind = KINDS[table]
    wanted = words.lower().split()
    holds = " AND ".join(["contains(lower(label), ?)"] * len(wanted)) or "true"
    return data.rows(
        f"""SELECT identity, label, row_number() OVER (PARTITION BY label ORDER BY since DESC, identity) AS place
            FROM (SELECT {kind.identity} AS identity, arg_max({kind.label}, valid_from) AS label, max(valid_from) AS since FROM tracker.main.{table} GROUP BY 1)
            WHERE identity = ? OR {holds} ORDER BY since DESC, label, place LIMIT {limit}""",
        [words.strip(), *wanted],
    )


def history_link(table: str, row: Mapping[str, Any], label: str = "history") -> Markup:
    """A link to the history of a row's entity; nothing where the row does not name it."""
    identity = row.get(KINDS[table].identity) if table in KINDS else None
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
