"""Service levels: the least 25th-percentile output speed and the greatest 95th-percentile time to first token."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from pipelines.sources.artificial_analysis import numbers
from pipelines.sources.artificial_analysis.numbers import Unsure

# Speeds that AA-AgentPerf has named as tiers (methodologies of March, June and October 2026), in tok/s.
NAMED_TIERS_TOK_S = frozenset({20.0, 30.0, 60.0, 100.0, 180.0, 250.0, 300.0, 500.0, 2000.0})

LONGEST_WAIT_S = 100.0

_CONTEXT = frozenset(
    {"slo", "slos", "sla", "tier", "tiers", "target", "targets", "service", "level", "objective", "objectives", "threshold", "thresholds", "requirement"}
    | {"requirements", "constraint", "constraints", "limit", "limits", "minimum", "min", "maximum", "max", "required"}
)
_SPEED = frozenset(
    {
        "p25",
        "p",
        "25",
        "25th",
        "percentile25",
        "percentile",
        "output",
        "speed",
        "tokens",
        "token",
        "tok",
        "toks",
        "per",
        "second",
        "sec",
        "s",
        "tps",
        "user",
        "agent",
    }
)
_WAIT = frozenset(
    {"p95", "p", "95", "95th", "percentile95", "percentile", "ttft", "time", "to", "first", "token", "latency"}
    | {"seconds", "second", "sec", "secs", "s", "ms", "milliseconds"}
)

_SPEED_TEXT = re.compile(r"(?<![\w.])(\d[\d,]*(?:\.\d+)?)\s*(?:output )?(?:tok(?:en)?s?\s*(?:/|per )\s*s(?:ec(?:ond)?)?|tps)\b", re.IGNORECASE)
_WAIT_TEXT = re.compile(r"(?:TTFT|time to first token)[^\d.;,]{0,24}(\d[\d,]*(?:\.\d+)?)\s*(ms|milliseconds|s|sec|seconds)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Limit:
    """A service-level limit: `p25_tok_s` or `p95_ttft_s`, the factor to that unit (None where the key names none), and whether the key names it as a limit.

    What is not named as a limit may be a measurement.
    """

    of: str
    factor: float | None
    is_named: bool

    def read(self, raw: Any) -> float | None:
        """A stated limit; None where missing. Signs such as ≥ and units beside the number may stand in a text.

        Raises Unsure, also for a time without a unit that is no number of seconds one would wait.
        """
        if isinstance(raw, str):
            bare = raw.strip().lstrip("≥≤<>= ")
            speed, wait = limits_in(f"TTFT {bare}" if self.of == "p95_ttft_s" else bare)
            stated = speed if self.of == "p25_tok_s" else wait
            if stated is not None:
                return stated
            raw = bare
        value = numbers.read_number(raw)
        if value is not None and self.factor is None and value >= LONGEST_WAIT_S:
            raise Unsure(f"{value:g} without a unit is too long for seconds")
        return None if value is None else value * (self.factor or 1.0)


def limit_of(words: tuple[str, ...]) -> Limit | None:
    """What limit a key states; None for other keys, other percentiles among them."""
    said = set(words) - _CONTEXT
    is_named = len(said) < len(set(words))
    if is_named and said in ({"p25"}, {"p95"}):  # the two percentiles AA-AgentPerf limits
        return Limit("p25_tok_s", 1.0, True) if said == {"p25"} else Limit("p95_ttft_s", None, True)
    if said and said <= _SPEED and (said & {"speed", "tps", "toks"} or {"tokens", "second"} <= said or {"tok", "s"} <= said):
        return Limit("p25_tok_s", 1.0, is_named)
    if said and said <= _WAIT and ("ttft" in said or {"time", "first", "token"} <= said):
        factor = 0.001 if said & {"ms", "milliseconds"} else 1.0 if said & {"s", "sec", "secs", "second", "seconds"} else None
        return Limit("p95_ttft_s", factor, is_named)
    return None


def limits_in(text: str) -> tuple[float | None, float | None]:
    """Output speed in tok/s and time to first token in s that a service level's label states, each where it states one."""
    speeds = {numbers.read_number(n) for n in _SPEED_TEXT.findall(text)}
    waits = {_seconds(n, unit) for n, unit in _WAIT_TEXT.findall(text)}
    return (speeds.pop() if len(speeds) == 1 else None), (waits.pop() if len(waits) == 1 else None)


def _seconds(number: str, unit: str) -> float | None:
    value = numbers.read_number(number)
    return value / 1000 if value is not None and unit.lower().startswith("m") else value
