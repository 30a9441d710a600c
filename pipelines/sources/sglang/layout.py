"""The layout of a benchmarks file: from JavaScript values to measurements, whatever the keys are called.

An entry is `{match: {hw, …}, sglang_version, latencyPercentile, speed: [{workload, …figures}], accuracy, notes}`. An
entry without figures is a stub: its numbers are pending. Keys that are not understood are kept and named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pipelines.sources.sglang.configs import HARDWARE
from pipelines.sources.sglang.figures import Key, understood, words_of
from pipelines.sources.sglang.literals import Literal, Module, Raw

SPEED = {"ttft_s", "tpot_s", "interactivity_tok_s", "total_tok_s_gpu", "output_tok_s_gpu", "input_tok_s_gpu", "stated_tok_s_gpu"}
VERSIONS = (["sglang", "version"], ["version"], ["framework", "version"], ["build"])
WORKLOAD = {
    "dataset": (["dataset"], ["dataset", "name"], ["scenario"], ["benchmark"]),
    "isl": (["isl"], ["input", "len"], ["input", "length"], ["input", "tok"], ["random", "input", "len"]),
    "osl": (["osl"], ["output", "len"], ["output", "length"], ["output", "tok"], ["random", "output", "len"]),
}


@dataclass
class Measurement:
    """One measured point of an entry, or the entry itself where it holds no figure.

    `figures`: by name, every (key as written, what it means, value). `remarks` are comments beside the point.
    """

    match: Mapping[str, Any]
    figures: dict[str, list[tuple[str, Key, Any]]] = field(default_factory=dict)
    workload: dict[str, Any] = field(default_factory=dict)
    version: str | None = None
    percentile: str | None = None
    accuracy: Mapping[str, Any] = field(default_factory=dict)
    notes: str | None = None
    remarks: str = ""
    extra: dict[str, Any] = field(default_factory=dict)
    measured: bool = False
    readable: bool = True

    def first(self, figure: str) -> Any:
        """The value of a figure's first key; None where there is none."""
        return self.figures[figure][0][2] if figure in self.figures else None


@dataclass
class Layout:
    """A benchmarks file read: its measurements, the comments above it, and how its keys are filled (share of records)."""

    measurements: list[Measurement] = field(default_factory=list)
    header: str = ""
    fields: dict[str, float] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    raws: list[str] = field(default_factory=list)


def read_layout(module: Module) -> Layout | None:
    """The measurements of a benchmarks file; None where it declares no list of them."""
    name, rows = next(((n, v) for n, v in _by_preference(module) if isinstance(v.value, list)), (None, None))
    if name is None or rows is None:
        return None
    layout = Layout(header=" ".join(module.header), raws=list(rows.raws(name)))
    seen: Counter[str] = Counter()
    entries = 0
    for number, entry in enumerate(rows.value):
        selection = _selection(entry)
        if selection is None:
            layout.unread.append(f"{name}[{number}]")
            continue
        entries += 1
        _count(seen, "", entry)
        found = _measurements(entry, selection)
        layout.measurements += [m for m in found if m.measured or m.readable]
        if not all(m.readable for m in found):
            layout.unread.append(f"{name}[{number}]")
    layout.fields = {path: round(n / entries, 4) for path, n in sorted(seen.items())}
    return layout


def _by_preference(module: Module) -> Iterator[tuple[str, Literal]]:
    if "benchmarks" in module.values:
        yield "benchmarks", module.values["benchmarks"]
    for name, value in module.values.items():
        if isinstance(value.value, list) and (not value.value or any(_selection(e) for e in value.value)):
            yield name, value


def _selection(entry: Literal) -> str | None:
    """Name of the member that says which deployment the entry is about."""
    if not isinstance(entry.value, dict):
        return None
    for name, member in sorted(entry.value.items(), key=lambda kv: kv[0] != "match"):
        if isinstance(member.value, dict) and any(isinstance(member.value.get(k, Literal(None)).value, str) for k in HARDWARE):
            return name
    return None


def _measurements(entry: Literal, selection: str) -> list[Measurement]:
    """The points of an entry; what stands beside them holds for each."""
    shared = Measurement(match=entry.value[selection].plain())
    remarks = [*entry.comments, *entry.value[selection].all_comments()]
    points: list[Literal] = []
    for name, member in entry.value.items():
        if name == selection:
            continue
        inside = member.value if isinstance(member.value, list) else [member]
        if name == "speed" or any(_is_point(p) for p in inside):
            points += [p for p in inside if isinstance(p.value, dict)]
            shared.readable &= not any(isinstance(p.value, Raw) for p in inside)
            remarks += member.comments if isinstance(member.value, list) else ()
        else:
            _take(shared, name, member)
            remarks += member.all_comments()
    shared.remarks = " ".join(remarks)
    found = [_point(shared, point) for point in points]
    if _has_speed(shared):
        found.insert(0, shared)
    shared.measured = _has_speed(shared)
    return [m for m in found if m.measured or not m.readable] or [shared]


def _is_point(literal: Literal) -> bool:
    if not isinstance(literal.value, dict):
        return False
    keys = (understood(k) for k in literal.value)
    return any(k is not None and k.figure in SPEED for k in keys)


def _point(shared: Measurement, literal: Literal) -> Measurement:
    point = Measurement(
        shared.match,
        {k: list(v) for k, v in shared.figures.items()},
        dict(shared.workload),
        shared.version,
        shared.percentile,
        shared.accuracy,
        shared.notes,
        " ".join([shared.remarks, *literal.all_comments()]).strip(),
        dict(shared.extra),
        readable=shared.readable,
    )
    for name, member in literal.value.items():
        if isinstance(member.value, dict) and words_of(name) == ["workload"]:
            for key, value in member.value.items():
                _take(point, key, value)
        else:
            _take(point, name, member, nearer=True)
    point.measured = _has_speed(point)
    return point


def _has_speed(measurement: Measurement) -> bool:
    return any(value is not None for figure in SPEED for _, _, value in measurement.figures.get(figure, ()))


def _take(measurement: Measurement, name: str, member: Literal, *, nearer: bool = False) -> None:
    """Put one key where it belongs; a key nearer to the point goes before one of its entry."""
    value, words = member.plain(), words_of(name)
    plain = not isinstance(member.value, Raw | dict | list)
    if words in VERSIONS and isinstance(value, str):
        measurement.version = value.strip() or measurement.version
    elif words in (["latency", "percentile"], ["percentile"]) and isinstance(value, str):
        measurement.percentile = value
    elif words in (["accuracy"], ["accuracies"]) and isinstance(member.value, dict):
        measurement.accuracy = {k: v for k, v in value.items() if v is not None}
    elif words in (["notes"], ["note"], ["remarks"]) and isinstance(value, str):
        measurement.notes = " ".join(filter(None, (measurement.notes, value.strip()))) or None
    elif words == ["workload"] and isinstance(value, str):
        measurement.workload["dataset"] = value
    elif plain and (part := next((p for p, spellings in WORKLOAD.items() if words in spellings), None)):
        measurement.workload[part] = value
    elif plain and (key := understood(name)):
        former = measurement.figures.get(key.figure, [])
        new = (name, key, value)
        measurement.figures[key.figure] = [new, *former] if nearer else [*former, new]
    elif value is not None:
        measurement.extra[name] = value
        key = understood(name)
        if isinstance(member.value, Raw) and key is not None and key.figure in SPEED:
            measurement.readable = False


def _count(seen: Counter[str], path: str, literal: Literal, weight: float = 1) -> None:
    """Count the filled keys of an entry; of a list, each member counts its part."""
    if isinstance(literal.value, dict):
        for key, member in literal.value.items():
            _count(seen, f"{path}.{key}" if path else key, member, weight)
    elif isinstance(literal.value, list):
        for member in literal.value:
            _count(seen, path, member, weight / len(literal.value))
    elif literal.value is not None:
        seen[path] += weight  # type: ignore[assignment]
