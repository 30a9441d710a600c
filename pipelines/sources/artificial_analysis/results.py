"""AgentPerf results on the datacenter page: finds the records, and says of what each is a figure.

A result may be one flat record, may spread over nested objects, may list its metrics as `{name, value, unit}`, and may
stand under the model, system or tier it is of. What a record does not say itself, what holds it says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pipelines.names import fold
from pipelines.sources.artificial_analysis import numbers
from pipelines.sources.artificial_analysis.aliases import MEASURE_NAME_KEYS, OTHER_PARTS, UNIT_KEYS, VALUE_KEYS
from pipelines.sources.artificial_analysis.entities import Entities, referred
from pipelines.sources.artificial_analysis.flight import ABSENT, Flight
from pipelines.sources.artificial_analysis.hardware import EVALUATOR, System, read_system, who
from pipelines.sources.artificial_analysis.meanings import Path, column_of, is_empty, is_mapping, limit_at, measure_at, metric_at, said_by_keys
from pipelines.sources.artificial_analysis.measures import Measure, measure_of
from pipelines.sources.artificial_analysis.numbers import Figure, Unsure
from pipelines.sources.artificial_analysis.records import Array, Facts, Place, flat, is_keepable, plain_key, shown, words
from pipelines.sources.artificial_analysis.tiers import NAMED_TIERS_TOK_S, limits_in
from pipelines.sources.base import Unreadable

DEEPEST_HOLDER = 3

# Keys that mean another thing outside a record: a page's date is no date of measurement.
OF_THE_PAGE = ("date",)


@dataclass
class Record:
    """A record, what it refers to, and what holds it.

    `levels` are facts by full path: its own, those of things it refers to by id, then those of its holders, innermost
    first. `references` are paths of its own that hold such an id.
    """

    levels: list[Facts]
    path: Path
    references: set[Path] = field(default_factory=set)
    used: set[Path] = field(default_factory=set)

    @property
    def own(self) -> Facts:
        return self.levels[0]

    def raw(self, column: str) -> Any:
        """The value of a column's preferred key, from the innermost level that fills one."""
        for level in self.levels:
            filled = [
                (known[1], path)
                for path, value in level.items()
                if (known := column_of(path)) and known[0] == column and not is_empty(value) and path not in self.references
                if level is self.own or plain_key(path[-1]) not in OF_THE_PAGE
            ]
            if filled:
                self.used.add(min(filled)[1])
                return level[min(filled)[1]]
        return said_by_keys(self.path, column)

    def read(self, column: str, reader: Callable[[Any], Any], warnings: list[str]) -> Any:
        """A column read for sure, or None with a warning."""
        try:
            return reader(self.raw(column))
        except Unsure as why:
            warnings.append(f"{column} of a result is left empty: {why}.")
            return None

    def names_limit(self) -> bool:
        """Whether the record itself says which service level it is of."""
        return any(
            not is_empty(value) and (((limit := limit_at(path)) and limit.is_named) or (column_of(path) or ("",))[0] == "slo_label")
            for path, value in self.own.items()
        )

    def unread_figures(self, read: Iterable[str]) -> list[str]:
        """Numbers inside something named as a metric that is none of those `read`: a figure in a way not known."""
        return [
            shown(path[len(self.path) :])
            for path, value in self.own.items()
            if isinstance(value, int | float) and any((metric := metric_at((key,))) and metric not in read for key in path)
        ]

    def fields(self) -> dict[str, Any]:
        """Its own values by the source's own keys."""
        return {shown(path[len(self.path) :]): value for path, value in self.own.items()}

    def unused(self) -> dict[str, Any]:
        """Its own values that nothing was read from, by the source's own keys; for `extra`."""
        return {shown(path[len(self.path) :]): value for path, value in self.own.items() if path not in self.used and is_keepable(value)}


@dataclass(frozen=True)
class Stated:
    """What one record states, and of what. `key` tells results apart whatever they are called on the day."""

    model: str
    system: System
    columns: dict[str, Any]
    figures: dict[str, Figure]
    extra: dict[str, Any]

    @property
    def fullness(self) -> int:
        """How much the record says of its result."""
        return len(self.figures) + sum(value is not None for value in self.columns.values())

    @property
    def key(self) -> tuple[Any, ...]:
        tier = (self.columns["slo_p25_tok_s"], self.columns["slo_p95_ttft_s"])
        label = self.columns["slo_label"] if tier == (None, None) else None
        return (fold(self.model), self.system.key, *tier, fold(label) if label else None)


def records_in(array: Array, flight: Flight, known: Entities) -> list[Record]:
    """The array's records with what they refer to and what holds them."""
    path = array.path
    outer = _holders(array, flight)
    made = []
    for number, raw in enumerate(array.records):
        at = (*path, array.keys[number]) if array.keys else path
        own = {(*at, *inner): value for inner, value in flat(flight.plain(raw), is_mapping).items()}
        links = list(referred(own, known))
        made.append(Record([own, *(facts for _, facts in links), *outer], at, {path for path, _ in links}))
    return made


def is_of_another_part(array: Array) -> bool:
    """Whether the array stands in a part of the page that is no AA-AgentPerf result of today."""
    return any(set(words(key)) & OTHER_PARTS for key in array.path)


def _holders(array: Array, flight: Flight) -> list[Facts]:
    places = list(array.places())
    path = array.path
    return [dict(_scalars(place, path[: len(path) - 1 - n], flight)) for n, place in enumerate(places)]


def _scalars(place: Place, path: Path, flight: Flight) -> Iterator[tuple[Path, Any]]:
    """Plain members of a holder and of its nested objects, save what leads to the array."""
    left: list[tuple[Path, Any, int]] = [((*path, k), v, 0) for k, v in place.holder.items() if k != place.key]
    while left:
        at, value, depth = left.pop()
        if isinstance(value, str):
            value = flight.target(value)
        if isinstance(value, dict) and depth < DEEPEST_HOLDER:
            left.extend(((*at, k), v, depth + 1) for k, v in value.items())
        elif value is not ABSENT and not isinstance(value, dict | list):
            yield at, value


def figures_of(record: Record) -> dict[str, Figure | None]:
    """Figures by metric, None where a key of the metric is there without a value.

    Raises Unreadable where a figure cannot be read for sure, or the record states two for one metric.
    """
    figures: dict[str, Figure | None] = {}
    for path, value in record.own.items():
        measure = _measure(record, path)
        if measure is None or measure.metric is None:
            continue
        try:
            figure = measure.read(value)
        except Unsure as why:
            raise Unreadable(f"{shown(path)} of a result cannot be read for sure: {why}.") from why
        record.used.add(path)
        former = figures.get(measure.metric)
        if former and figure and former != figure:
            raise Unreadable(f"A result states two figures of {measure.metric}: {former.value:g} and {figure.value:g} (the latter at {shown(path)}).")
        figures[measure.metric] = former or figure
    return figures


def _measure(record: Record, path: Path) -> Measure | None:
    """What stands at a path, by its keys, by the name beside a `value`, and by the unit beside it; all must agree."""
    said = measure_at(path)
    if plain_key(path[-1]) not in VALUE_KEYS:
        return said
    beside = {plain_key(p[-1]): v for p, v in record.own.items() if p[:-1] == path[:-1] and isinstance(v, str)}
    unit = next((words(beside[k]) for k in UNIT_KEYS if k in beside), ())
    names = [words(beside[k]) for k in MEASURE_NAME_KEYS if k in beside]
    told = [m for m in (said, measure_of(unit), *(measure_of(n) for n in names)) if m and m.metric]
    told = told or [m for n in names if (m := measure_of((*n, *unit))) and m.metric]
    if len({(m.metric, m.factor) for m in told}) > 1:
        raise Unreadable(
            f"The result at {shown(path)} is named as one measure and has the unit of another ({', '.join(sorted({m.metric or '' for m in told}))})."
        )
    return told[0] if told else None


def states(record: Record, figures: dict[str, Figure | None], page_warnings: list[str]) -> Stated | None:
    """What a record states; None where nothing says of which model or system it is."""
    try:
        model = numbers.read_text(record.raw("model"))
        system = read_system(numbers.read_text(record.raw("system")), numbers.read_text(record.raw("accelerator")))
    except Unsure:
        return None
    if model is None or system is None:
        return None
    label = record.read("slo_label", _label, page_warnings)
    speed, wait = _limits(record, label)
    vendor = record.read("vendor", numbers.read_text, page_warnings)
    columns = {
        "model_slug": record.read("model_slug", numbers.read_text, page_warnings),
        "vendor": system.vendor or vendor,
        "accelerators": record.read("accelerators", numbers.read_whole, page_warnings) or system.accelerators,
        "slo_p25_tok_s": speed,
        "slo_p95_ttft_s": wait,
        "slo_label": label,
        "configured_by": _configured_by(record, system.vendor or vendor, page_warnings),
        "verified_by": who(record.read("verified_by", numbers.read_text, page_warnings)),
        "config_id": record.read("config_id", numbers.read_text, page_warnings),
        "methodology": record.read("methodology", _label, page_warnings),
        "measured_on": record.read("measured_on", numbers.read_date, page_warnings),
    }
    return Stated(model, system, columns, {m: f for m, f in figures.items() if f}, record.unused())


def _configured_by(record: Record, vendor: str | None, page_warnings: list[str]) -> str | None:
    """Who tuned the configuration, by name; where the page only says that it was the vendor, the vendor."""
    named = who(record.read("configured_by", numbers.read_text, page_warnings))
    if named is None:
        by_vendor = record.read("is_by_vendor", numbers.read_flag, page_warnings)
        return None if by_vendor is None else vendor if by_vendor else EVALUATOR
    return vendor if vendor and named.lower() in ("vendor", "the vendor", "hardware vendor") else named


def _label(raw: Any) -> str | None:
    return f"{raw:g}" if isinstance(raw, int | float) and not isinstance(raw, bool) else numbers.read_text(raw)


def _limits(record: Record, label: str | None) -> tuple[float | None, float | None]:
    """The service level of a record: named limits of the innermost level, those its label states, or an own speed that is a known tier."""
    found: dict[str, float] = {}
    for level in record.levels:
        named = _limits_at(level, record, is_named=True)
        found = {**named, **found}
    if label:
        said = dict(zip(("p25_tok_s", "p95_ttft_s"), limits_in(label), strict=True))
        found = {**{k: v for k, v in said.items() if v is not None}, **found}
    if not found:
        loose = _limits_at(record.own, record, is_named=False)
        found = loose if loose.get("p25_tok_s") in NAMED_TIERS_TOK_S else {}
    return found.get("p25_tok_s"), found.get("p95_ttft_s")


def _limits_at(level: Facts, record: Record, *, is_named: bool) -> dict[str, float]:
    found: dict[str, float] = {}
    for path, value in level.items():
        limit = limit_at(path)
        if limit is None or limit.is_named != is_named or isinstance(value, list):
            continue
        try:
            number = limit.read(value)
        except Unsure as why:
            raise Unreadable(f"The service level at {shown(path)} cannot be read for sure: {why}.") from why
        if number is None:
            continue
        if found.setdefault(limit.of, number) != number:
            raise Unreadable(f"A result names two service levels of one kind: {found[limit.of]:g} and {number:g}.")
        record.used.add(path)
    return found
