"""The cookbook's keys and units: what a key of a benchmark row means, however its author spells it.

A key is split into its words (`ttft_p95_ms`, `p95TtftMs`); the words decide the figure, its unit and its statistic. A
key without the unit its figure needs is not understood and stays with the row's other keys.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from dataclasses import dataclass
from typing import Any

PERCENTILES = {"mean": "mean", "avg": "mean", "average": "mean", "median": "p50"}
LONGEST_RATE = 40
_WORD = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+")
_NUMBER = re.compile(r"[+-]?(\d{1,3}(,\d{3})+|\d+)?(\.\d+)?([eE][+-]?\d+)?")
_SAME = {
    **dict.fromkeys(("tok", "toks", "token", "tokens"), "tok"),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("ms", "millis", "msec", "milliseconds"), "ms"),
    **dict.fromkeys(("pct", "percent", "percentage"), "pct"),
    **dict.fromkeys(("out", "output", "generated", "generation", "gen", "decode", "completion"), "output"),
    **dict.fromkeys(("in", "input", "prefill", "prompt"), "input"),
    **dict.fromkeys(("gpu", "gpus", "accelerator", "accelerators", "chip", "chips"), "gpu"),
    **dict.fromkeys(("user", "users", "agent", "agents", "client", "clients", "request", "requests"), "user"),
    **dict.fromkeys(("concurrency", "conc", "concurrent"), "concurrency"),
}


@dataclass(frozen=True)
class Key:
    """What a key stands for: a figure's name, the factor to our unit, the statistic where the key names one."""

    figure: str
    factor: float = 1.0
    percentile: str | None = None


def words_of(key: str) -> list[str]:
    """The words of a key in snake, kebab or camel case, in one spelling each."""
    return [_SAME.get(w.lower(), w.lower()) for w in _WORD.findall(key)]


def understood(key: str) -> Key | None:
    """What a key of a measurement means; None where it is not known for sure."""
    words = words_of(key)
    found = set(words)
    percentile = percentile_of(words)
    if "ttft" in found or {"time", "to", "first", "tok"} <= found:
        return _timed("ttft_s", found, percentile)
    if "tpot" in found or {"time", "per", "output", "tok"} <= found:
        return _timed("tpot_s", found, percentile)
    if "hit" in found and (found & {"cache", "prefix", "kv"} or found <= {"hit", "rate", "ratio", "pct"}):
        return Key("cache_hit_pct" if "pct" in found else "cache_hit")
    if "hicache" in found or {"hierarchical", "cache"} <= found:
        return Key("hicache")
    if {"tok", "s", "user"} <= found or "interactivity" in found:
        return Key("interactivity_tok_s", percentile=percentile)
    if {"tok", "s", "gpu"} <= found:
        return None if found & {"cached", "uncached"} else Key(_throughput(found))
    return _deployment(words, found)


def _timed(figure: str, found: set[str], percentile: str | None) -> Key | None:
    if "ms" in found:
        return Key(figure, 1e-3, percentile)
    return Key(figure, 1.0, percentile) if "s" in found else None


def _throughput(found: set[str]) -> str:
    if {"input", "output"} <= found:
        return "total_tok_s_gpu"
    named = next((side for side in ("output", "input", "total") if side in found), "stated")
    return f"{named}_tok_s_gpu"


def _deployment(words: list[str], found: set[str]) -> Key | None:
    """Keys about the deployment rather than its speed."""
    ways = {"tensor": "tp", "expert": "ep", "data": "dp", "pipeline": "pp"}
    if words in (["gpu"], ["num", "gpu"], ["n", "gpu"], ["gpu", "count"], ["gpu", "total"], ["total", "gpu"]):
        return Key("gpus")
    if words in (["parallelism"], ["parallel"], ["parallelization"]):
        return Key("parallelism")
    if words and words[0] in ways.values() and found <= {words[0], "size", "degree"}:
        return Key(words[0])
    if words[:2] and words[0] in ways and found <= {words[0], "parallel", "parallelism", "size", "degree"}:
        return Key(ways[words[0]])
    if "concurrency" in found or words in (["user"], ["num", "user"], ["max", "user"]):
        return Key("concurrency")
    if found & {"synthetic", "simulated"} and found & {"acceptance", "accept", "acc"}:
        return Key("synthetic_acceptance")
    if words in (["measured", "on"], ["measured", "at"], ["date"], ["measured"], ["run", "date"], ["measurement", "date"]):
        return Key("measured_on")
    return {"nodes": Key("nodes"), "nnodes": Key("nodes"), "num_nodes": Key("nodes"), "verified": Key("verified")}.get("_".join(words))


def percentile_of(words: list[str]) -> str | None:
    """`p50`, `p95`, `mean` … where one of the words names a statistic."""
    for word in words:
        if word in PERCENTILES:
            return PERCENTILES[word]
        if re.fullmatch(r"p\d{1,3}", word):
            return word
    return None


def number(value: Any) -> float | int | None:
    """A number, also where it is written as text with thousands commas; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value if math.isfinite(value) else None
    if isinstance(value, str) and (text := value.strip()) and _NUMBER.fullmatch(text) and any(c.isdigit() for c in text):
        value = float(text.replace(",", ""))
        return value if math.isfinite(value) else None
    return None


def count(value: Any) -> int | None:
    """A whole number above zero; None for anything else."""
    found = number(value)
    return int(found) if found is not None and found > 0 and float(found).is_integer() else None


def ratio(value: Any, *, percent_key: bool) -> tuple[float | None, float | None, float | None, bool]:
    """(ratio, low, high, doubtful) of a hit rate, 0 to 1: from 0.968, 96.8, "96.8%" or a range "96.8-97.6%".

    A number of at most 1 under a key that says percent is doubtful (0.968 may be a ratio after all) and not taken.
    """
    text = value.strip() if isinstance(value, str) else None
    if text is not None and len(text) > LONGEST_RATE:
        return None, None, None, False
    percent = percent_key or (text is not None and "%" in text)
    parts = re.split(r"\s*(?:-|–|—|\bto\b)\s*", text.replace("%", "")) if text else [value]
    numbers = [number(p) for p in parts]
    known = [n for n in numbers if n is not None]
    if not known or len(known) != len(numbers) or len(known) > 2:
        return None, None, None, False
    if percent_key and text is None and 0 < max(known) <= 1:
        return None, None, None, True
    scale = 100 if percent or max(known) > 1 else 1
    ratios = [n / scale for n in known]
    if not all(0 <= r <= 1 for r in ratios):
        return None, None, None, True
    if len(ratios) == 1:
        return round(ratios[0], 12), None, None, False
    return None, round(min(ratios), 12), round(max(ratios), 12), False


def day(value: Any) -> dt.date | None:
    """A date written ISO 8601; None for anything else."""
    try:
        return dt.date.fromisoformat(value.strip()[:10]) if isinstance(value, str) else None
    except ValueError:
        return None
