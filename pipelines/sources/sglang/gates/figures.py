"""Which number of a clause is a measured value: not its margin, its limit, its unit of time, its run."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from pipelines.sources.sglang.gates.lexicon import CUE
from pipelines.sources.sglang.gates.model import ACCEPT_LENGTH, ACCEPT_RATE, ACCURACY
from pipelines.sources.sglang.gates.names import dataset_in
from pipelines.wellformed import counted

_COUNT, _PERCENT = r"(?:\d{1,3},\d{3}|\d{3,6})", r"(?:\s?%|\s?per ?cent\b|\s?pct\b)"
_NUMBER = re.compile(
    rf"(?<![\w.#/@+−–-])(?:(\d{{1,3}},\d{{3}}|\d+)\s*(?:/|of|out of)\s*({_COUNT})(?![\w/])"
    rf"|(\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)({_PERCENT})?(?!\w|\.\d))"
)
_JOB = re.compile(r"/jobs?/\d+")
_RUN = re.compile(r"actions/runs/(\d{6,15})|\bruns?\b[\s:#=]*(?:ids?\b[\s:#=]*)?\[?#?(\d{8,12})(?![\w])|(?<![\w./-])(\d{11})(?![\w-])")
_AND_RUN = re.compile(r"\s*(?:,|and|&|/|,\s*and)\s*#?(\d{8,12})(?![\w-])")
_LIMIT_BEFORE = re.compile(
    r"(?:\b(?:thresholds?|floors?|gates?|bars?|limits?|targets?|minimum|cutoffs?|against|versus|vs|over|above|below|under|than|from|minus|less|margins?|within"
    r"|temperature|temp|top[_-]p|top[_-]k|fraction|static|sd|std|stdev|σ|noise|drops?|dropped|lost|cache hits?|sits?|clears?|cleared|set (?:at|to)"
    r"|lowered to|raised to"
    r"|rocm|cuda|triton|python|torch|version|seed|tp|ep|dp|epsilon|rtol|tolerance)\b|±|\+/-|[<>]=?|≥|≤|[-−–→])"
    r"(?:[\s:=(`~≈]*\b(?:of|is|at|the|a|an|to|was|our|its|about|around|roughly|currently|now|stays|remains|kept))*[\s:=(`~≈]*$",
    re.IGNORECASE,
)
_LIMIT_AFTER = re.compile(
    r"^\s*`?\s*(?:floors?|thresholds?|gates?|cutoffs?|limit|bar|margin|headroom|slack|tolerance|convention)\b(?!\s*(?:[=:]|of\b|is\b|was\b|at\b|\d))",
    re.IGNORECASE,
)
_SMALL_AFTER = re.compile(r"^\s*(?:pts?|points?|pp)?\s*(?:under|below|above|lower|higher|off|beneath|less|more|short)\b", re.IGNORECASE)
_UNIT_AFTER = re.compile(
    r"^(?:\s*-?(?:s|secs?|seconds?|min|mins|minutes?|h|hours?|ms|[gtm]i?b|x|×|pts?|points?|pp|nodes?|gpus?|shots?|threads?|questions?|samples?|examples?"
    r"|requests?|layers?|runs?|days?)\b|\s*(?:unparse?able|invalid|truncat\w*|recovery|smaller|larger|faster|slower|cache|hits?|hit rate"
    r"|accept(?:ance)? rate|sd|std|stdev|noise|swing)\b|\s*×|\s*-(?:pt|point|shot|gpu))",
    re.IGNORECASE,
)
_MEASURED_AFTER = re.compile(
    r"^\s*(?:that |which |was |were )*(?:(?:we|it|amd|mi\w+|run \d+|\d{11}) )?(?:measured|scored|observed|recorded|reached|seen|got|returned)\b", re.IGNORECASE
)
_LENGTH_BEFORE = re.compile(r"accept\w*\s+(?:lengths?|len)?[\s:=~≈]*(?:of|is|was|at|about|around|~)?\s*$", re.IGNORECASE)
_TOKENS_AFTER = re.compile(r"\s*(?:accepted )?tokens?\b(?! ?/)", re.IGNORECASE)
_TOKENS_PER_SECOND = re.compile(r"^\s*(?:output\s+)?tok(?:en)?s?\s*(?:/|per\s+)\s*s(?:ec(?:onds?)?)?\b", re.IGNORECASE)
_METRIC_WORDS = {
    ACCEPT_LENGTH: re.compile(r"\baccept(?:ance|ed|s)?\b|\bacc[_ -]?len(?:gth)?\b", re.IGNORECASE),
    ACCEPT_RATE: re.compile(r"\baccept(?:ance)?[ _-]rate\b|\bhit[ _-]rate\b", re.IGNORECASE),
    "speed": re.compile(r"\bspeed\b|tok(?:en)?s?\s*(?:/|per )\s*s", re.IGNORECASE),
    "throughput": re.compile(r"(?<!high[- ])\bthroughput\b", re.IGNORECASE),
    "latency": re.compile(r"\blatency\b", re.IGNORECASE),
    ACCURACY: re.compile(r"\baccurac(?:y|ies)\b|\bacc\b|\bscor(?:e|es|ed|ing)\b", re.IGNORECASE),
}

_NEAR = 25  # characters: a speed named farther away is not what a figure is
_BESIDE = 20  # characters: only so close to a word of measuring is the threshold's own number a measurement


@dataclass(frozen=True)
class Figure:
    """A number in a clause: its value (per cent and fractions as a share) and what stands around it."""

    value: float
    text: str
    before: str
    after: str
    percent: bool
    fraction: bool
    whole: bool


def run_ids(text: str) -> tuple[str, ...]:
    """CI runs the text names: in an Actions address, after the word run, or as a bare number of 11 digits."""
    text = _JOB.sub("", text)
    found: list[str] = []
    for match in _RUN.finditer(text):
        found.append(next(g for g in match.groups() if g))
        end = match.end()
        while more := _AND_RUN.match(text, end):
            found.append(more[1])
            end = more.end()
    return tuple(dict.fromkeys(found))


def metrics_named(text: str) -> frozenset[str]:
    """Metrics a piece of prose speaks of by name."""
    named = {m for m, pattern in _METRIC_WORDS.items() if pattern.search(text)}
    if ACCEPT_RATE in named and not _METRIC_WORDS[ACCEPT_LENGTH].search(_METRIC_WORDS[ACCEPT_RATE].sub("", text)):
        named.discard(ACCEPT_LENGTH)
    if dataset_in(text):
        named.add(ACCURACY)
    return frozenset(named)


@lru_cache(maxsize=4096)
def figures(clause: str) -> tuple[Figure, ...]:
    """All numbers of a clause that may be a value: no part of an address, a name, a pull request or a run."""
    clause = re.sub(r"https?://\S+", lambda m: " " * len(m[0]), clause)
    found = []
    for match in _NUMBER.finditer(clause):
        before, after = clause[: match.start()], clause[match.end() :]
        if match[1]:
            correct, asked = (counted(match[n].replace(",", "")) for n in (1, 2))
            if correct and asked and correct <= asked:
                found.append(Figure(correct / asked, match[0], before, after, False, True, False))
            continue
        percent = bool(match[4])
        whole = "." not in match[3]
        if (whole and after.startswith("/")) or len(match[3]) > 12:
            continue
        number = float(match[3].replace(",", ""))
        found.append(Figure(float(f"{number / 100:.12g}") if percent else number, match[3], before, after, percent, False, whole))
    return tuple(found)


def measured_value(clause: str, metric: str, threshold: float | None, *, stands_alone: bool) -> Figure | None:
    """The figure of a clause that is a value of the metric; None where none is.

    `stands_alone`: the text belongs to this metric's threshold alone, so that a figure without a metric's name is its.
    """
    candidates = [f for f in figures(clause) if _plausible(f, metric) and not _is_limit(f, metric) and _about(f, metric, stands_alone)]
    if metric == ACCURACY:
        shares = [f for f in candidates if f.percent or (not f.fraction and f.value <= 1)]
        candidates = shares or [f for f in candidates if f.fraction] or [f for f in candidates if not f.whole]
    others = [f for f in candidates if threshold is None or abs(_share(f, metric) - threshold) > 1e-9]
    same = [f for f in candidates if f not in others and _from_cue(f) <= _BESIDE]
    chosen = sorted(others or same, key=_from_cue)[:1]
    return _as_share(chosen[0], metric) if chosen else None


def _from_cue(f: Figure) -> int:
    """Characters between the figure and the nearest word of measuring, in its clause."""
    before = [len(f.before) - m.end() for m in CUE.finditer(f.before)]
    after = [m.start() for m in CUE.finditer(f.after)]
    return min([*before, *after], default=10**6)


def _share(figure: Figure, metric: str) -> float:
    return figure.value / 100 if metric == ACCURACY and figure.value > 1 else figure.value


def _as_share(figure: Figure, metric: str) -> Figure:
    share = float(f"{_share(figure, metric):.12g}")
    return Figure(share, figure.text, figure.before, figure.after, figure.percent, figure.fraction, figure.whole)


def _plausible(f: Figure, metric: str) -> bool:
    if metric == ACCURACY:
        if f.percent or f.fraction:
            return 0 < f.value <= 1
        return (0 < f.value <= 1 and not f.whole) or (20 <= f.value <= 100 and not f.whole)
    if metric == ACCEPT_LENGTH:
        counted = _LENGTH_BEFORE.search(f.before) or _TOKENS_AFTER.match(f.after)
        return not f.percent and not f.fraction and 1 <= f.value <= 64 and (not f.whole or counted is not None)
    if metric == ACCEPT_RATE:
        return 0 < f.value <= 1
    return not f.percent and not f.fraction and f.value > 1


def _is_limit(f: Figure, metric: str) -> bool:
    """Whether the number is a limit, a margin, a setting or has the unit of something else."""
    if _MEASURED_AFTER.search(f.after):
        return False
    if _LIMIT_BEFORE.search(f.before) or _LIMIT_AFTER.search(f.after):
        return True
    if _SMALL_AFTER.search(f.after) and (f.value if metric == ACCURACY else 0) < 0.2:
        return True
    if metric in ("speed", "throughput"):
        return not _TOKENS_PER_SECOND.search(f.after) and bool(_UNIT_AFTER.search(f.after))
    return bool(_UNIT_AFTER.search(f.after) or _TOKENS_PER_SECOND.search(f.after))


def _about(f: Figure, metric: str, stands_alone: bool) -> bool:
    """Whether the metric's name stands nearest to the figure, or none does and the figure can only be this metric's."""
    distances: dict[str, int] = {}
    for name, pattern in _METRIC_WORDS.items():
        gaps = [len(f.before) - m.end() for m in pattern.finditer(f.before)] + [m.start() + 1 for m in pattern.finditer(f.after)]
        if gaps:
            distances[name] = min(gaps)
    fitting = {m: d for m, d in distances.items() if _plausible(f, m) and (d <= _NEAR or m in (ACCURACY, ACCEPT_LENGTH, ACCEPT_RATE))}
    if fitting:
        nearest = min(fitting, key=lambda m: (fitting[m], m != metric))
        return nearest == metric
    return stands_alone or metric == ACCURACY
