"""What may be written in a field, and what is wrong with what was."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

import pandera.pandas as pa
from ruamel.yaml.comments import CommentedMap, CommentedSeq, TaggedScalar

from pipelines.schema import BOOL, DATE, INT, LIST, REAL, TEXT
from pipelines.sources.curated.reading import TO_FILL_IN, Cell, Entry, Problems, unknown

URL, MAP, ENTRIES = "url", "map", "entries"
_KIND_IN_WORDS = {
    TEXT: "text",
    URL: "web address",
    REAL: "number",
    INT: "whole number",
    BOOL: "truth value (true or false)",
    DATE: "date",
    LIST: "list of texts",
    MAP: "fields of texts",
    ENTRIES: "list of entries",
}
_UNTRUE = object()


@dataclass(frozen=True)
class Field:
    """A field of a curated file. `minimum` and `maximum` are inclusive, in `unit`."""

    name: str
    kind: str
    meaning: str
    unit: str | None = None
    required: bool = False
    minimum: float | None = None
    maximum: float | None = None
    one_of: tuple[str, ...] = ()

    @property
    def kind_in_words(self) -> str:
        return _KIND_IN_WORDS[self.kind]

    def needed(self) -> Field:
        """The same field, required."""
        return replace(self, required=True)


def of_column(column: pa.Column, required: bool | None = None) -> Field:
    """The field that fills a table's column, with the column's meaning, unit and limits."""
    limits = {k: v for check in column.checks for k, v in check.statistics.items()}
    return Field(
        column.name,
        column.metadata["kind"],
        column.description,
        column.metadata["unit"],
        not column.nullable if required is None else required,
        limits.get("min_value"),
        limits.get("max_value"),
        tuple(limits.get("allowed_values", ())),
    )


def plain(value: Any) -> Any:
    """A YAML scalar as a plain Python value; texts in one line."""
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    return value


def _typed(field: Field, value: Any) -> Any:
    """The value in the field's type, or _UNTRUE."""
    value = plain(value)
    match field.kind:
        case "text" | "url":
            return value if isinstance(value, str) else _UNTRUE
        case "real":
            right = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300
            return float(value) if right else _UNTRUE
        case "int":
            return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63 else _UNTRUE
        case "bool":
            return value if isinstance(value, bool) else _UNTRUE
        case "date":
            return value if isinstance(value, dt.date) and not isinstance(value, dt.datetime) else _UNTRUE
        case "list":
            texts = [plain(v) for v in value] if isinstance(value, CommentedSeq) else [None]
            return texts if all(isinstance(t, str) and t and t.isprintable() for t in texts) else _UNTRUE
        case "map":
            pairs = {plain(k): plain(v) for k, v in value.items()} if isinstance(value, CommentedMap) and value else {"": None}
            return pairs if all(isinstance(t, str) and t and t.isprintable() for pair in pairs.items() for t in pair) else _UNTRUE
    return value


_HINTS = {
    TEXT: "; put it in quotes",
    DATE: "; write it as 2026-10-23, and vague words for it in stated_date",
    INT: "; write digits alone",
    LIST: "; write [one, other], numbers in quotes",
    MAP: "; write {column: text}, numbers in quotes",
    REAL: "; write the number alone, its unit in the field `unit` or in the field's name",
}


def _shown(value: Any) -> str:
    if isinstance(value, CommentedSeq | CommentedMap):
        return "a list" if isinstance(value, CommentedSeq) else "an entry"
    return repr(plain(value)) if isinstance(value, str) else str(value)


def _limits(field: Field, value: Any) -> str | None:
    if field.one_of and value not in field.one_of:
        return f"{value!r} is not one of {', '.join(field.one_of)}"
    unit = f" ({field.unit})" if field.unit else ""
    if field.minimum is not None and value < field.minimum:
        return f"{value:g} is less than {field.minimum:g}{unit}"
    if field.maximum is not None and value > field.maximum:
        return f"{value:g} is more than {field.maximum:g}{unit}; is it in another unit?"
    if field.kind == URL and (urlsplit(value).scheme not in ("http", "https") or not urlsplit(value).hostname or " " in value):
        return f"{value!r} is no web address; write it whole, from https:// on"
    if field.kind in (TEXT, URL) and not value.isprintable():
        return "holds characters that cannot be printed"
    return None


def check(field: Field, cell: Cell) -> tuple[Any, str | None]:
    """The cell's value in the field's type, or what is wrong with it in words."""
    if isinstance(cell.value, TaggedScalar):
        return None, f"{cell.value.value!r} means something else in YAML; put it in quotes"
    if cell.value is None or cell.value in ("", []):
        return None, "has no value; what is not published is left out, field and all"
    if isinstance(cell.value, str) and TO_FILL_IN in cell.value:
        return None, f"still to be filled in ({field.meaning[0].lower()}{field.meaning[1:]})"
    value = _typed(field, cell.value)
    if value is _UNTRUE:
        return None, f"{_shown(cell.value):.80} is no {field.kind_in_words}{_HINTS.get(field.kind, '')}"
    try:
        wrong = _limits(field, value)
    except ValueError:
        wrong = f"{value!r} is no web address; write it whole, from https:// on"
    return (None, wrong) if wrong else (value, None)


def read(entry: Entry, fields: Mapping[str, Field], problems: Problems) -> dict[str, Any]:
    """The entry's values by field; misspelt, missing and wrong ones are problems."""
    values = {}
    for name, cell in entry.cells.items():
        if name not in fields:
            problems.add(cell.line, entry.at(name), unknown(name, fields))
            continue
        value, wrong = check(fields[name], cell)
        if wrong:
            problems.add(cell.line, entry.at(name), wrong)
        else:
            values[name] = value
    for field in fields.values():
        if field.required and field.name not in entry.cells:
            problems.add(entry.line, entry.at(field.name), f"is missing ({field.meaning[0].lower()}{field.meaning[1:]})")
    return values
