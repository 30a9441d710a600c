"""Finds the arrays of records on a page, at any depth, and says where each stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pipelines.sources.artificial_analysis.flight import ABSENT, Flight

Path = tuple[str, ...]
Facts = dict[Path, Any]
Stated = tuple[tuple[Path, ...], tuple[Any, ...]]

_ROW = re.compile(r"\$[L@]?([0-9a-f]+)")


@dataclass(frozen=True, eq=False)
class Place:
    """An object that holds a value: the object, the key of the value in it (None for items of arrays), what holds it."""

    holder: dict[str, Any]
    key: str
    parent: Place | None


@dataclass(frozen=True, eq=False)
class Array:
    """An array whose items are all objects.

    `records` are unresolved (see Flight.plain). `is_whole` is False where an item refers to something that the page
    does not hold. `keys` are the records' keys where they stand in an object instead of an array. `is_closed`: see
    `arrays`.
    """

    records: list[dict[str, Any]]
    place: Place | None
    is_whole: bool = True
    keys: tuple[str, ...] = ()
    is_closed: bool = False

    @property
    def path(self) -> tuple[str, ...]:
        """Keys that lead to the array, outermost first."""
        return tuple(reversed([p.key for p in self.places()]))

    def places(self) -> Iterator[Place]:
        """What holds the array, innermost first."""
        place = self.place
        while place:
            yield place
            place = place.parent


@lru_cache(maxsize=50_000)
def words(key: str) -> tuple[str, ...]:
    """The words of a key or label in lower case: camelCase, snake_case and prose alike; a slash reads `per`."""
    text = key.replace("kW", "Kw").replace("/", " per ")
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", text)
    return tuple(re.findall(r"[a-z0-9]+", text.lower()))


@lru_cache(maxsize=50_000)
def plain_key(key: str) -> str:
    """A key without case, spaces and signs: camelCase and snake_case of the same key are equal."""
    return re.sub(r"[^a-z0-9]", "", key.lower())


@lru_cache(maxsize=50_000)
def _path(*keys: str) -> Path:
    """The path of these keys: one object for all records, as every new one costs garbage collection time."""
    return keys


def flat(record: dict[str, Any], leave: Callable[[dict[str, Any]], bool] = lambda _: False) -> Facts:
    """A resolved record as path → value: members of nested objects, save those to `leave`; arrays of objects are left out."""
    facts: Facts = {}
    open_objects: list[tuple[tuple[str, ...], dict[str, Any]]] = [((), record)]
    while open_objects:
        path, value = open_objects.pop()
        for key, member in value.items():
            kind = type(member)
            if kind is dict:
                if not leave(member):
                    open_objects.append((_path(*path, key), member))
            elif kind is not list or not any(isinstance(item, dict) for item in member):
                facts[_path(*path, key)] = member
    return facts


def stated(facts: Facts) -> Stated:
    """A record's facts as paths and values; records alike then share their paths."""
    return tuple(facts), tuple(facts.values())


def resolved(flight: Flight, records: list[dict[str, Any]]) -> list[Stated]:
    """What `flat` says of each record of an array of the stream, which are not resolved yet.

    Raises Unreadable where references blow the data up beyond measure.
    """
    alike: dict[tuple[str, ...], list[int]] = {}
    for number, record in enumerate(records):
        flight.count(record)
        alike.setdefault(tuple(record), []).append(number)
    made: dict[int, Stated] = {}
    for keys, numbers in alike.items():
        made.update(zip(numbers, _resolved_alike(flight, keys, [records[n] for n in numbers]), strict=True))
    return [made[n] for n in range(len(records))]


def _resolved_alike(flight: Flight, keys: tuple[str, ...], records: list[dict[str, Any]]) -> Iterator[Stated]:
    """`resolved` of records with the same keys, column by column."""
    columns: dict[Path, tuple[Any, ...]] = {}
    uneven = []
    for key, values in zip(keys, zip(*(r.values() for r in records), strict=True), strict=True):
        if not _stand_for_themselves(values):
            values = tuple(map(flight.plain, values))
            if all(map(_is_left_out, values)):
                continue
            if any(_is_left_out(v) or isinstance(v, dict) for v in values):
                uneven.append(_path(key))
        columns[_path(key)] = values
    paths = tuple(columns)
    for row in zip(*columns.values(), strict=True):
        yield stated(_unfolded(dict(zip(paths, row, strict=True)), uneven)) if uneven else (paths, row)


def _stand_for_themselves(values: tuple[Any, ...]) -> bool:
    """Whether no value is an object, a list or a text that means something else in the stream."""
    kinds = set(map(type, values))
    return not kinds & {dict, list} and not (str in kinds and any(type(v) is str and v[:1] == "$" for v in values))


def _is_left_out(value: Any) -> bool:
    return value is ABSENT or (isinstance(value, list) and any(isinstance(item, dict) for item in value))


def _unfolded(facts: Facts, paths: list[Path]) -> Facts:
    """A record's facts where some of these are to be left out, and some are objects whose members are facts."""
    nested = {}
    for path in paths:
        if _is_left_out(facts[path]):
            del facts[path]
        elif isinstance(facts[path], dict):
            nested[path[0]] = facts.pop(path)
    return {**facts, **flat(nested)} if nested else facts


def shown(path: tuple[str, ...]) -> str:
    """A path as drift reports and `extra` write it."""
    return ".".join(path)


def is_keepable(value: Any) -> bool:
    """Whether `extra` can hold a value: a text, a flag, a finite number, or a list of such."""
    if isinstance(value, list):
        return bool(value) and all(is_keepable(item) for item in value)
    return isinstance(value, str | bool) or (isinstance(value, int | float) and value - value == 0)


def arrays(
    flight: Flight,
    more: list[Any],
    *,
    closed: Callable[[list[dict[str, Any]]], bool] = lambda _: False,
    mapping: Callable[[dict[str, Any]], bool] = lambda _: False,
) -> list[Array]:
    """Every array of records of a stream and of `more` trees, in the order they stand.

    Arrays for which `closed` holds are not searched for further arrays. An object for which `mapping` holds counts as
    an array of its members.
    """
    walk = _Walk(flight, closed, mapping)
    for row in [r for r in flight.rows if r not in flight.referred] + list(flight.rows):
        if row not in walk.seen:
            walk.seen.add(row)
            walk.into(flight.rows[row])
    for tree in more:
        walk.into(tree)
    return walk.found


def _row_of(text: str) -> str | None:
    """The row a string refers to as a whole."""
    found = _ROW.fullmatch(text) if text[:1] == "$" else None
    return found[1] if found else None


class _Walk:
    def __init__(self, flight: Flight, closed: Callable[[list[dict[str, Any]]], bool], mapping: Callable[[dict[str, Any]], bool]):
        self.flight, self.closed, self.mapping = flight, closed, mapping
        self.seen: set[str] = set()
        self.found: list[Array] = []

    def into(self, tree: Any) -> None:
        left: list[tuple[Any, Place | None]] = [(tree, None)]
        while left:
            value, place = left.pop()
            if isinstance(value, str):
                row = _row_of(value)
                if row is None or row in self.seen or row not in self.flight.rows:
                    continue
                self.seen.add(row)
                value = self.flight.rows[row]
            if isinstance(value, dict):
                if self.mapping(value):
                    self.found.append(Array(list(value.values()), place, True, tuple(value)))
                left.extend((member, Place(value, key, place)) for key, member in reversed(value.items()))
            elif isinstance(value, list):
                array = self._array(value, place)
                if array:
                    self.found.append(array)
                if not (array and array.is_closed):
                    left.extend((item, place) for item in reversed(value))

    def _array(self, items: list[Any], place: Place | None) -> Array | None:
        """The list as an array of records; None where it is something else (an element of the page, texts, numbers)."""
        records, lost = [], False
        for item in items:
            value = self.flight.target(item) if isinstance(item, str) and item.startswith("$") and len(item) > 1 else item
            if isinstance(value, dict):
                records.append(value)
            elif value is ABSENT and item != "$undefined":
                lost = True
            elif value is not None and value is not ABSENT:
                return None
        return Array(records, place, not lost, is_closed=self.closed(records)) if records else None
