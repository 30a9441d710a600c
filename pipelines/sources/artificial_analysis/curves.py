"""Points of a curve on the datacenter page: what one number of concurrent agents came to, as `operating_points`."""

from __future__ import annotations

from typing import Any

from pipelines.names import fold
from pipelines.schema import canonical_json, content_id
from pipelines.sources.artificial_analysis import numbers
from pipelines.sources.artificial_analysis.hardware import provenance_of, read_system, who
from pipelines.sources.artificial_analysis.meanings import Path, is_empty, limit_at, measure_at, metric_at
from pipelines.sources.artificial_analysis.numbers import Unsure
from pipelines.sources.artificial_analysis.records import Array, plain_key, shown, words
from pipelines.sources.artificial_analysis.results import Record
from pipelines.sources.base import Unreadable

_CONCURRENCY_KEYS = ("concurrency", "concurrentusers", "concurrentrequests", "concurrentsessions")


def is_curve(array: Array, records: list[Record]) -> bool:
    """Whether every record states a concurrency and a measured speed or wait, and none a service level of its own.

    A curve belongs to AgentPerf where it counts agents, or stands in a result or a part of the page that is named so.
    """
    if not all(_concurrency_at(r) and _has_measurement(r) and not r.names_limit() for r in records):
        return False
    counts_agents = all(measure_at(path) for r in records if (path := _concurrency_at(r)))
    in_result = any(metric_at(path) for level in records[0].levels[1:] for path in level)
    return counts_agents or in_result or any({"agentperf", "agents"} & set(words(key)) for key in array.path)


def _concurrency_at(record: Record) -> Path | None:
    return next((path for path, value in record.own.items() if not is_empty(value) and _is_concurrency(path)), None)


def _is_concurrency(path: Path) -> bool:
    measure = measure_at(path)
    counts_agents = measure is not None and measure.subject == "agents" and measure.per is None and not measure.is_most
    return counts_agents or plain_key(path[-1]) in _CONCURRENCY_KEYS


def _has_measurement(record: Record) -> bool:
    return any((limit := limit_at(path)) and not limit.is_named and not is_empty(value) for path, value in record.own.items())


def curve_points(records: list[Record], source_url: str, warnings: list[str]) -> dict[str, dict[str, Any]]:
    """Rows of `operating_points` by id.

    Raises Unreadable where a figure cannot be read for sure, or one point is stated twice with different figures.
    """
    made: dict[str, dict[str, Any]] = {}
    for record in records:
        row = _point(record, source_url, warnings)
        if row is None:
            continue
        if made.setdefault(row["point_id"], row) != row:
            raise Unreadable(f"The page states two points of {row['model']} on {row['accelerator']} at concurrency {row['concurrency']}.")
    return made


def _point(record: Record, source_url: str, warnings: list[str]) -> dict[str, Any] | None:
    at = _concurrency_at(record)
    try:
        model = numbers.read_text(record.raw("model"))
        system = read_system(numbers.read_text(record.raw("system")), numbers.read_text(record.raw("accelerator")))
        concurrency = numbers.read_whole(record.own[at]) if at else None
        measured = _measured(record)
    except Unsure as why:
        raise Unreadable(f"A curve point cannot be read for sure: {why}.") from why
    if model is None or system is None:
        warnings.append("A curve on the page does not say of which model and system it is; its points are not stored.")
        return None
    record.used.add(at or ())
    config_id = record.read("config_id", numbers.read_text, warnings)
    configured_by = who(record.read("configured_by", numbers.read_text, warnings))
    extra = record.unused()
    return {
        "point_id": content_id("artificial_analysis", "aa_agentperf", fold(model), system.key, config_id, concurrency),
        "model": model,
        "accelerator": system.accelerator or system.name,
        "vendor": system.vendor or record.read("vendor", numbers.read_text, warnings),
        "accelerators": record.read("accelerators", numbers.read_whole, warnings) or system.accelerators,
        "accelerators_from": "page",
        "scenario": "aa_agentperf",
        "concurrency": concurrency,
        **measured,
        "interactivity_kind": "given" if "interactivity_tok_s" in measured else None,
        "ttft_percentile": "p95" if "ttft_s" in measured else None,
        "cache_hit_kind": "missing",
        "status": "active",
        "attributed_to": configured_by,
        "measured_on": record.read("measured_on", numbers.read_date, warnings),
        "source": "artificial_analysis",
        "origin": "scraped",
        "provenance": provenance_of(configured_by),
        "source_url": source_url,
        "qualifier": "exact",
        "extra": canonical_json(extra) if extra else None,
    }


def _measured(record: Record) -> dict[str, float]:
    """Speed, wait, throughput and power of a point, by column.

    Raises Unsure.
    """
    found: dict[str, float] = {}
    for path, value in record.own.items():
        limit, measure = limit_at(path), measure_at(path)
        column = None
        if limit and not limit.is_named:
            column, number = {"p25_tok_s": "interactivity_tok_s", "p95_ttft_s": "ttft_s"}[limit.of], limit.read(value)
        elif measure and measure.subject == "power":
            column, figure = "power_watts_gpu", measure.read(value)
            number = figure.value if figure else None
        elif measure and measure.subject == "tokens" and measure.per == "accelerator" and measure.side:
            column, figure = f"{measure.side}_tok_s_gpu", measure.read(value)
            number = figure.value if figure else None
        if column is None:
            continue
        record.used.add(path)
        if number is not None and found.setdefault(column, number) != number:
            raise Unsure(f"two values of {column}, the second at {shown(path)}")
    return found
