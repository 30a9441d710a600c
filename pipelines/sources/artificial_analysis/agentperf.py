"""AA-AgentPerf's datacenter page: results as rows of `agentperf_results`, curve points as `operating_points`.

A result's identity is its publisher, model, system (accelerator, rack or not), service level and metric; where it
stands on the page, its slug, its configuration and how the system's name is written are not part of it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

from pipelines.schema import canonical_json, content_id
from pipelines.sources.artificial_analysis.curves import curve_points, is_curve
from pipelines.sources.artificial_analysis.entities import Entities, entities
from pipelines.sources.artificial_analysis.hardware import provenance_of
from pipelines.sources.artificial_analysis.meanings import is_empty, is_mapping
from pipelines.sources.artificial_analysis.page import Page
from pipelines.sources.artificial_analysis.physics import order_doubts, unit_doubts
from pipelines.sources.artificial_analysis.places import DATACENTER, PUBLIC
from pipelines.sources.artificial_analysis.records import Array, arrays
from pipelines.sources.artificial_analysis.results import Record, Stated, figures_of, is_of_another_part, records_in, states
from pipelines.sources.base import Bundle, NoData, Parsed, Unreadable

ROUNDING_RATIO = 0.005
PER_MW = ("agents_per_mw", "throughput_tok_s_mw", "watts_per_accelerator")
MOST_SHAPES = 60


def parse_agentperf(bundle: Bundle) -> Parsed:
    """Read the datacenter page.

    Figures that cannot be in the units of their metrics make the snapshot suspicious. Raises NoData where the page holds
    no AgentPerf result, Unreadable where what it holds cannot be read for sure.
    """
    page = Page(bundle.body)
    found = arrays(page.flight, page.trees, mapping=is_mapping)
    reading = _Reading(page, bundle.parts[0].url, entities(found, page.flight))
    for array in found:
        reading.take(array)
    return reading.parsed()


@dataclass
class _Reading:
    page: Page
    source_url: str
    known: Entities
    groups: list[list[Stated]] = field(default_factory=list)
    points: dict[str, dict[str, Any]] = field(default_factory=dict)
    filled: Counter[str] = field(default_factory=Counter)
    read_records: int = 0
    set_aside: list[str] = field(default_factory=list)
    unread: set[str] = field(default_factory=set)
    shapes: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def take(self, array: Array) -> None:
        """Read one array, if it holds results or curve points."""
        if is_of_another_part(array):
            return
        records = records_in(array, self.page.flight, self.known)
        if is_curve(array, records):
            self.points.update(curve_points(records, self.source_url, self.warnings))
            self._note(array, records, "points")
            return
        figures = [figures_of(record) for record in records]
        if not any(figures):
            self.unread |= {name for record in records for name in record.unread_figures(())}
            return
        unread = sorted({name for record, of in zip(records, figures, strict=True) for name in record.unread_figures(of)})
        if unread:
            raise Unreadable(f"Results state figures in a way not known: {', '.join(unread[:10])}.")
        where = ".".join(array.path) or "the top"
        if not array.is_whole:
            raise Unreadable(f"The results at {where} refer to records that the page does not hold; a list with gaps is no list.")
        stated = [states(r, f, self.warnings) for r, f in zip(records, figures, strict=True) if any(f.values())]
        self._note(array, records, "results")
        if any(s is None for s in stated):
            self._unidentified(where, records, stated)
            return
        self.groups.append([s for s in stated if s])
        self.read_records += len(records)
        for record in records:
            self.filled.update({name: int(not is_empty(value)) for name, value in record.fields().items()})

    def _unidentified(self, where: str, records: list[Record], stated: list[Stated | None]) -> None:
        nameless = sum(s is None for s in stated)
        keys = ", ".join(sorted(records[0].fields()))[:300]
        told = f"{nameless} of {len(stated)} results at {where} do not say of which model and system they are (keys: {keys})"
        if nameless < len(stated):
            raise Unreadable(f"{told}; a part of the results is no snapshot.")
        self.set_aside.append(told)

    def _note(self, array: Array, records: list[Record], what: str) -> None:
        kinds = {name: type(value).__name__ for record in records for name, value in record.fields().items() if value is not None}
        if len(self.shapes) < MOST_SHAPES:
            self.shapes.append({"path": list(array.path), "what": what, "records": len(array.records), "keys": dict(sorted(kinds.items()))})

    def parsed(self) -> Parsed:
        """Everything read, as one snapshot."""
        results = [s for group in self.groups for s in group]
        if not results:
            if self.set_aside:
                raise Unreadable(f"There are AgentPerf results on the page, but {'; '.join(self.set_aside)}.")
            if self.unread:
                raise Unreadable(f"The page speaks of AgentPerf figures in a way not known: {', '.join(sorted(self.unread)[:10])}.")
            raise NoData(
                f'The page "{self.page.title}" holds no AgentPerf result: no array of its data stream or JSON-LD has records '
                "with a number of agents, or with throughput per MW."
            )
        rows = _rows(self.groups, self.source_url, self.warnings)
        if self.source_url != PUBLIC + DATACENTER:
            self.warnings.append(f"The results were read at {self.source_url}; {PUBLIC}{DATACENTER} does not hold them.")
        self.warnings += [f"Set aside: {told}." for told in self.set_aside]
        fields = {name: round(n / self.read_records, 6) for name, n in self.filled.items()}
        tables = {"agentperf_results": rows, "operating_points": list(self.points.values())}
        unmatched = sorted({s.system.accelerator or s.system.name for s in results if not s.system.is_known})
        return Parsed(
            tables,
            suspicions=_doubts(results),
            fields={"agentperf_results": fields},
            warnings=_once(self.warnings),
            shape={"arrays": self.shapes},
            unmatched_names=unmatched,
        )


def _once(warnings: list[str]) -> list[str]:
    return list(dict.fromkeys(warnings))


def _doubts(results: list[Stated]) -> list[str]:
    """Sentences on figures that cannot be in the units of their metrics."""
    doubts = []
    by_system: dict[tuple[Any, ...], dict[float, float]] = defaultdict(dict)
    together: dict[tuple[Any, ...], dict[str, float]] = defaultdict(dict)
    counts: dict[tuple[Any, ...], int | None] = {}
    for stated in results:
        one = (*stated.key, stated.columns["config_id"])
        together[one].update({m: f.value for m, f in stated.figures.items()})
        counts[one] = counts.get(one) or stated.columns["accelerators"]
    for one, figures in together.items():
        model, system, speed = one[:3]
        doubts += [f"{model} on {system}: {doubt}" for doubt in unit_doubts(figures, counts[one], speed)]
        if speed and figures.get("agents_per_mw"):
            by_system[model, system][speed] = figures["agents_per_mw"]
    for (model, system), tiers in by_system.items():
        doubts += [f"{model} on {system}: {doubt}" for doubt in order_doubts(tiers)]
    return doubts


def _rows(groups: list[list[Stated]], source_url: str, warnings: list[str]) -> list[dict[str, Any]]:
    """One row per result and metric; results that stand in several arrays are taken once, from the fullest first."""
    made: dict[str, dict[str, Any]] = {}
    told_apart: dict[tuple[Any, ...], list[Stated]] = {}
    for group in sorted(groups, key=lambda g: sum(s.fullness for s in g), reverse=True):
        group = [s for s in group if not _is_repeated(s, told_apart.get(s.key, []))]
        for stated, mark in zip(group, _marks(group), strict=True):
            if mark:
                told_apart.setdefault(stated.key, []).append(stated)
            for metric in stated.figures:
                row = _row(stated, metric, mark, source_url)
                former = made.setdefault(row["result_id"], row)
                _same_or_unreadable(former, row, warnings)
    return list(made.values())


def _is_repeated(stated: Stated, known: list[Stated]) -> bool:
    """Whether one of several results of the same model, system and tier states all the same figures."""
    return any(stated.figures.items() <= one.figures.items() for one in known)


def _marks(group: list[Stated]) -> list[tuple[str, ...]]:
    """What tells results of one array apart that are of the same model, system and tier but differ; mostly nothing.

    Raises Unreadable where nothing does.
    """
    by_key: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for number, stated in enumerate(group):
        by_key[stated.key].append(number)
    marks: list[tuple[str, ...]] = [()] * len(group)
    for numbers in by_key.values():
        twins = [group[n] for n in numbers]
        if not _contradict(twins):
            continue
        ways = [[s.system.name.lower() for s in twins], *([str(s.columns[c]) for s in twins] for c in ("configured_by", "config_id", "accelerators"))]
        way = next((w for w in ways if len(set(w)) == len(w)), None)
        if way is None:
            first = twins[0]
            raise Unreadable(f"The page states different figures for {first.model} on {first.system.name} at one service level and nothing tells them apart.")
        for number, mark in zip(numbers, way, strict=True):
            marks[number] = (mark,)
    return marks


def _contradict(twins: list[Stated]) -> bool:
    return any(one.figures[m] != other.figures[m] for one in twins for other in twins for m in one.figures.keys() & other.figures.keys())


def _same_or_unreadable(one: dict[str, Any], other: dict[str, Any], warnings: list[str]) -> None:
    if one["value"] == other["value"]:
        return
    where = f"{one['metric']} of {one['model']} on {one['system']}"
    if abs(one["value"] - other["value"]) > ROUNDING_RATIO * max(abs(one["value"]), abs(other["value"])):
        raise Unreadable(f"The page states two values of {where}: {one['value']:g} and {other['value']:g}.")
    warnings.append(f"{where} stands on the page as {one['value']:g} and as {other['value']:g}; the fuller record's is taken.")


def _row(stated: Stated, metric: str, mark: tuple[str, ...], source_url: str) -> dict[str, Any]:
    figure = stated.figures[metric]
    return {
        "result_id": content_id("artificial_analysis", *stated.key, metric, *mark),
        "model": stated.model,
        "system": stated.system.name,
        "accelerator": stated.system.accelerator,
        **stated.columns,
        "metric": metric,
        "value": figure.value,
        "qualifier": figure.qualifier,
        "power_basis": "accelerator_measured" if metric in PER_MW else None,
        "tokens_counted": "input_and_output" if metric == "throughput_tok_s_mw" else "output" if metric == "output_tok_s_gpu" else None,
        "source": "artificial_analysis",
        "origin": "scraped",
        "provenance": provenance_of(stated.columns["configured_by"]),
        "source_url": source_url,
        "extra": canonical_json(stated.extra) if stated.extra else None,
    }
