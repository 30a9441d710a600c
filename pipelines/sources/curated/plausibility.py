"""Figures that no hardware gives: most often a slip of unit (kW for MW, per system for per accelerator, ms for s).

The band of watts is that of `design`: an accelerator under load draws 300 to 1,700 W at die and memory. Everything
per megawatt is held against it: an accelerator serves between a tenth of an agent and 500 agents, and passes 500 to
2 million tokens a second, input and output.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

WATTS = (300.0, 1700.0)
AGENTS_PER_ACCELERATOR = (0.1, 500.0)
TOTAL_TOK_S_GPU = (500.0, 2e6)
OUTPUT_TOK_S_GPU = (1.0, 1e5)


def _per_mw(per_accelerator: tuple[float, float]) -> tuple[float, float]:
    return per_accelerator[0] * 1e6 / WATTS[1], per_accelerator[1] * 1e6 / WATTS[0]


_METRICS = {
    "agents_per_mw": _per_mw(AGENTS_PER_ACCELERATOR),
    "agents_per_accelerator": AGENTS_PER_ACCELERATOR,
    "throughput_tok_s_mw": _per_mw(TOTAL_TOK_S_GPU),
    "input_tok_s_gpu": TOTAL_TOK_S_GPU,
    "output_tok_s_gpu": OUTPUT_TOK_S_GPU,
    "watts_per_accelerator": WATTS,
    "agents_per_system": (1.0, 1e6),
    "max_agents": (1.0, 1e6),
}
_PRICES = {"usd_gpu_h": (0.05, 100.0), "usd_mtok": (0.0, 10_000.0), "ratio": (0.0, 5.0)}
_GREATEST = {
    "ttft_s": 600.0,
    "tpot_s": 10.0,
    "interactivity_tok_s": 1e5,
    "output_tok_s": 1e5,
    "total_tok_s_gpu": TOTAL_TOK_S_GPU[1],
    "output_tok_s_gpu": OUTPUT_TOK_S_GPU[1],
    "input_usd_mtok": 10_000.0,
    "output_usd_mtok": 10_000.0,
    "cached_input_usd_mtok": 10_000.0,
}
_MEASURED_KW = (WATTS[0] / 1000, WATTS[1] / 1000)


@dataclass(frozen=True)
class Placed:
    """A record with the place it was read from."""

    table: str
    where: str
    line: int
    record: dict[str, Any]


def _outside(value: float, band: tuple[float, float]) -> bool:
    return not band[0] <= value <= band[1]


def _band(band: tuple[float, float], unit: str) -> str:
    return f"{band[0]:,.6g} to {band[1]:,.6g} {unit}"


def _result(r: dict[str, Any]) -> Iterator[str]:
    metric, value = r["metric"], r["value"]
    if _outside(value, _METRICS[metric]):
        band = _band(_METRICS[metric], metric)
        yield f"{value:,.6g} {metric} is not possible: hardware gives {band}; check the unit (kW or MW, hour or second, system or accelerator)"


def _price(r: dict[str, Any]) -> Iterator[str]:
    if r["high"] < r["low"]:
        yield f"the high price {r['high']:g} is less than the low one {r['low']:g}"
    band = _PRICES[r["unit"]]
    if _outside(r["low"], band) or _outside(r["high"], band):
        yield f"{r['low']:g} to {r['high']:g} is no possible price in {r['unit']} ({_band(band, r['unit'])}); check the unit"


def _power(r: dict[str, Any]) -> Iterator[str]:
    high = r.get("kw_high")
    if high is not None and high < r["kw"]:
        yield f"the high power {high:g} kW is less than the low one {r['kw']:g} kW"
    if r["power_basis"] == "accelerator_measured" and (_outside(r["kw"], _MEASURED_KW) or (high and _outside(high, _MEASURED_KW))):
        yield f"{r['kw']:g} kW an accelerator is outside 0.3 to 1.7 kW; check the unit, and give `accelerators` where the figure is for several"


def _cost(r: dict[str, Any]) -> Iterator[str]:
    if r.get("usd_gpu_h") and r["usd_mtok"]:
        implied = r["usd_gpu_h"] * 1e6 / (3600 * r["usd_mtok"])
        band = TOTAL_TOK_S_GPU if r["cost_of"] == "total" else OUTPUT_TOK_S_GPU
        if _outside(implied, band):
            yield f"{r['usd_mtok']:g} USD/Mtok at {r['usd_gpu_h']:g} USD/GPU-hour implies {implied:,.4g} tok/s/GPU, outside {_band(band, 'tok/s/GPU')}"


def _point(r: dict[str, Any]) -> Iterator[str]:
    low, hit, high = (r.get(f"cache_hit_ratio{end}") for end in ("_low", "", "_high"))
    if any(a is not None and b is not None and a > b for a, b in ((low, hit), (hit, high), (low, high))):
        yield f"the hit rate is not between its ends: low {low}, stated {hit}, high {high}"
    if r.get("output_tok_s_gpu") is not None and r.get("total_tok_s_gpu") is not None and r["output_tok_s_gpu"] > r["total_tok_s_gpu"]:
        yield f"more output ({r['output_tok_s_gpu']:g} tok/s/GPU) than tokens in all ({r['total_tok_s_gpu']:g})"
    if r["cache_hit_kind"] == "missing" and any(v is not None for v in (low, hit, high)):
        yield "a hit rate needs cache_hit_kind: who says so (server, theoretical or reported)"


def _subset(r: dict[str, Any]) -> Iterator[str]:
    shown, measured = r.get("published_points"), r.get("measured_points")
    if shown is not None and measured is not None and shown > measured:
        yield f"{shown} points published of {measured} measured"


_CHECKS = {
    "agentperf_results": _result,
    "prices": _price,
    "accelerator_power": _power,
    "stated_costs": _cost,
    "operating_points": _point,
    "published_subsets": _subset,
}


def doubts(placed: list[Placed]) -> Iterator[tuple[Placed, str]]:
    """Every figure that cannot be, with the reason in words."""
    for p in placed:
        for why in _CHECKS.get(p.table, lambda r: iter(()))(p.record):
            yield p, why
        if p.table in ("operating_points", "models"):
            for name, most in _GREATEST.items():
                if (p.record.get(name) or 0) > most:
                    yield p, f"{name} {p.record[name]:g} is more than {most:g}; check the unit"
    yield from _together([p for p in placed if p.table == "agentperf_results" and p.record["value"] > 0])


def _together(results: list[Placed]) -> Iterator[tuple[Placed, str]]:
    """Metrics of one system at one service level imply watts an accelerator, and agents a system."""
    groups: dict[tuple[Any, ...], dict[str, Placed]] = defaultdict(dict)
    for p in results:
        r = p.record
        groups[tuple(r.get(k) for k in ("model", "system", "slo_p25_tok_s", "slo_p95_ttft_s", "slo_label", "dated_from"))][r["metric"]] = p
    for by_metric in groups.values():
        value = {m: p.record["value"] for m, p in by_metric.items()}
        if "agents_per_mw" in value and "agents_per_accelerator" in value:
            yield from _watts(by_metric["agents_per_accelerator"], value["agents_per_accelerator"] / value["agents_per_mw"] * 1e6, by_metric["agents_per_mw"])
        if {"throughput_tok_s_mw", "input_tok_s_gpu", "output_tok_s_gpu"} <= set(value):
            total = value["input_tok_s_gpu"] + value["output_tok_s_gpu"]
            yield from _watts(by_metric["input_tok_s_gpu"], total / value["throughput_tok_s_mw"] * 1e6, by_metric["throughput_tok_s_mw"])
        for whole in ("max_agents", "agents_per_system"):
            accelerators = by_metric[whole].record.get("accelerators") if whole in by_metric else None
            if accelerators and "agents_per_accelerator" in value:
                each = value[whole] / accelerators
                if abs(each / value["agents_per_accelerator"] - 1) > 0.02:
                    stated = value["agents_per_accelerator"]
                    yield by_metric[whole], f"{value[whole]:,g} agents on {accelerators} accelerators are {each:.4g} each, not {stated:g}"


def _watts(p: Placed, watts: float, other: Placed) -> Iterator[tuple[Placed, str]]:
    if _outside(watts, WATTS):
        yield p, f"with {other.where} (line {other.line}) it implies {watts:,.4g} W an accelerator, outside 300 to 1,700 W; check both units"
