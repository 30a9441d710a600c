"""What a key or label measures, from its words: `agentsPerMegawatt`, `throughput_tok_s_mw`, `tokens/h/GPU`.

Every word has to be understood; a key with any other word (a rank, a change, a formatted copy) measures nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pipelines.sources.artificial_analysis import numbers
from pipelines.sources.artificial_analysis.numbers import Figure, Unsure

_PLACES = {
    **dict.fromkeys(("mw", "megawatt", "megawatts"), "mw"),
    **dict.fromkeys(("kw", "kilowatt", "kilowatts"), "kw"),
    **dict.fromkeys(("accelerator", "accelerators", "gpu", "gpus", "chip", "device"), "accelerator"),
    **dict.fromkeys(("system", "server"), "system"),
    **dict.fromkeys(("second", "sec", "s"), "second"),
    **dict.fromkeys(("hour", "hr", "h"), "hour"),
}
_ANY = frozenset({"value", "amount", "aa", "perf", "agentperf"})
_AGENTS = frozenset(
    {"agents", "agent", "concurrency", "count", "number", "of", "num", "concurrent", "simultaneous", "active", "max", "maximum", "supported", "sustained"}
    | {"at", "slo"}
)
_OF_POWER = frozenset({"of", "accelerator", "power"})
_TOKENS = frozenset({"tokens", "token", "tok", "throughput", "input", "output", "total", "combined", "system", "server", "and", "plus", "rate"})
_POWER = frozenset({"power", "watts", "watt", "w", "kw", "kilowatts", "draw", "average", "avg", "mean", "measured", "accelerator", "gpu", "chip"})

WATTS_LOW, WATTS_HIGH = 300.0, 1700.0


@dataclass(frozen=True)
class Measure:
    """What is measured and by how much a stated number is to be multiplied.

    `subject`: agents, tokens (per second) or power. `side` of tokens: total, input or output, None where not said.
    `per`: mw, accelerator, system or None. `is_most` marks a greatest number. `factor` is None for power without a
    unit in its name.
    """

    subject: str
    per: str | None
    side: str | None = None
    factor: float | None = 1.0
    is_most: bool = False

    @property
    def metric(self) -> str | None:
        """The metric of `agentperf_results` that it is; None where it is none of them."""
        if self.subject == "power":
            return "watts_per_accelerator"
        if self.subject == "agents":
            if self.per is None:
                return "max_agents" if self.is_most else None
            return f"agents_per_{self.per}"
        if self.per == "mw" and self.side in ("total", None):
            return "throughput_tok_s_mw"
        if self.per == "accelerator" and self.side in ("input", "output"):
            return f"{self.side}_tok_s_gpu"
        return None

    def read(self, raw: object) -> Figure | None:
        """A stated number in the metric's unit; None where missing.

        Raises Unsure.
        """
        figure = numbers.read_figure(raw)
        if figure is None:
            return None
        factor = self.factor if self.factor is not None else _power_factor(figure.value)
        value = figure.value * factor
        return Figure(float(f"{value:.15g}"), figure.qualifier)


def _power_factor(value: float) -> float:
    """Power of one accelerator without a unit: watts and kilowatts cannot be taken for each other."""
    if WATTS_LOW <= value <= WATTS_HIGH:
        return 1.0
    if WATTS_LOW <= value * 1000 <= WATTS_HIGH:
        return 1000.0
    raise Unsure(f"{value:g} is neither the watts nor the kilowatts of an accelerator")


@lru_cache(maxsize=50_000)
def measure_of(words: tuple[str, ...]) -> Measure | None:
    """What the words of a key or label measure; None where they measure nothing known."""
    subject_words, places = _split(_spelled_out(words))
    if places is None or len(set(places)) < len(places):
        return None
    times, grounds = [p for p in places if p in ("second", "hour")], [p for p in places if p not in ("second", "hour")]
    if len(grounds) > 1 or len(times) > 1:
        return None
    ground = grounds[0] if grounds else None
    per, factor = ("mw", 1000.0) if ground == "kw" else (ground, 1.0)
    said = set(subject_words) - _ANY - (_OF_POWER if per == "mw" else set())
    if said & {"agents", "agent", "concurrency"}:
        is_most = bool(said & {"max", "maximum", "slo"})
        return Measure("agents", per, factor=factor, is_most=is_most) if said <= _AGENTS and not times else None
    if said & {"tokens", "token", "tok", "throughput"}:
        return _tokens(said, per, factor, times)
    if said & {"power", "watts", "watt", "kw", "kilowatts"} and said <= _POWER and not times:
        return _power(said, per)
    return None


def _spelled_out(words: Sequence[str]) -> list[str]:
    """`tps`, `tok s mw` and `agents mw` as `tokens per second`, `tokens per second per mw` and `agents per mw`."""
    spelled: list[str] = []
    for word in words:
        if word == "tps":
            spelled += ["tokens", "per", "second"]
        elif word == "s" and spelled[-1:] in (["tok"], ["tokens"]):
            spelled += ["per", "second"]
        elif word in _PLACES and (spelled[-2:] == ["per", "second"] or (spelled[-1:] in (["agents"], ["throughput"]) and _PLACES[word] in ("mw", "kw"))):
            spelled += ["per", word]
        else:
            spelled.append(word)
    return spelled


def _split(words: Sequence[str]) -> tuple[list[str], list[str] | None]:
    """Words of the subject, and what it is per; None for the latter where that is not known."""
    subject: list[str] = []
    places: list[str] = []
    position = 0
    while position < len(words):
        if words[position] != "per":
            subject.append(words[position])
            position += 1
            continue
        position += 2 if words[position + 1 : position + 2] in (["a"], ["each"]) else 1
        place = _PLACES.get(words[position]) if position < len(words) else None
        if place is None:
            return subject, None
        places.append(place)
        position += 1
    return subject, places


def _tokens(said: set[str], per: str | None, factor: float, times: list[str]) -> Measure | None:
    """Tokens need a time; a throughput is per second by itself."""
    if not said <= _TOKENS or not (times or "throughput" in said):
        return None
    both = {"input", "output"} <= said
    side = "total" if both or said & {"total", "combined"} else "input" if "input" in said else "output" if "output" in said else None
    if side in ("input", "output") and said & {"total", "combined"}:
        return None
    return Measure("tokens", per, side, factor / 3600 if times == ["hour"] else factor)


def _power(said: set[str], per: str | None) -> Measure | None:
    if per not in ("accelerator", None) or (per is None and not said & {"accelerator", "gpu", "chip"}):
        return None
    factor = 1000.0 if said & {"kw", "kilowatts"} else 1.0 if said & {"watts", "watt", "w"} else None
    return Measure("power", "accelerator", factor=factor)
