"""How a table is described: once, in its pandera schema.

A column carries its name, type, unit, meaning, whether it is part of the key, whether a change of it opens a
version and whether losing it blocks a snapshot. DDL with comments, the data dictionary and dashboard labels are
made from here; nothing else repeats a column's description.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import math
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from json.encoder import encode_basestring
from typing import Any

import pandas as pd
import pandera.pandas as pa
import pyarrow

from pipelines.wellformed import whole_text

TEXT, REAL, INT, BOOL, DATE, TIME, LIST, JSON = "text", "real", "int", "bool", "date", "time", "list", "json"

_PANDAS = {TEXT: "str", JSON: "str", REAL: "float64", INT: "Int64", BOOL: "boolean", DATE: "object", TIME: "object", LIST: "object"}
_CERTAIN: dict[str, set[type]] = {BOOL: {bool}, DATE: {dt.date}}
_DUCKDB = {TEXT: "VARCHAR", JSON: "VARCHAR", REAL: "DOUBLE", INT: "BIGINT", BOOL: "BOOLEAN", DATE: "DATE", TIME: "TIMESTAMP", LIST: "VARCHAR[]"}


CANONICAL: dict[str, Any] = {"sort_keys": True, "separators": (",", ":"), "ensure_ascii": False, "allow_nan": False}
_ENCODER = json.JSONEncoder(**CANONICAL)


class SchemaMisuse(ValueError):
    """A parser wrote a column the table does not describe: a mistake in our code, not in the input."""


def column(
    name: str,
    kind: str,
    meaning: str,
    unit: str | None = None,
    *,
    key: bool = False,
    opens_version: bool = False,
    blocking: bool = False,
    required: bool = False,
    minimum: float | None = None,
    maximum: float | None = None,
    one_of: Iterable[str] | None = None,
) -> pa.Column:
    """Describe a column.

    `required` columns may not be missing in any row; `minimum` and `maximum` are inclusive and in `unit`;
    `one_of` lists the only texts allowed. Key columns are part of a row's identity within its scope.
    """
    checks = []
    if minimum is not None:
        checks.append(pa.Check.ge(minimum))
    if maximum is not None:
        checks.append(pa.Check.le(maximum))
    if one_of is not None:
        checks.append(pa.Check.isin(sorted(one_of)))
    metadata = {"kind": kind, "unit": unit, "key": key, "opens_version": opens_version, "blocking": blocking}
    return pa.Column(_PANDAS[kind], checks, nullable=not required, name=name, description=meaning, metadata=metadata)


HISTORY_COLUMNS = (
    column("valid_from", TIME, "Since when the row holds (inclusive)", "UTC"),
    column("valid_to", TIME, "Until when the row held (exclusive); NULL while it still does", "UTC"),
    column("date_source", TEXT, "What valid_from rests on: capture, commit, run_date or published"),
    column("changed_after", TIME, "When the former state was last seen; NULL at the start of a scope", "UTC"),
    column("recorded_at", TIME, "Capture time of the bytes the version was first read from", "UTC"),
    column("scope", TEXT, "The page, file or endpoint whose snapshots the row belongs to (public URL)"),
    column("snapshot_id", TEXT, "The snapshot that opened the version"),
    column("ended_by", TEXT, "The snapshot that ended the version; NULL while it holds, or where the source dates its end itself"),
    column("version_id", TEXT, "Hash of table, scope, identity and valid_from"),
)

# A parser may date a row itself; see history.py for what the two columns do.
DATING_COLUMNS = (
    column("dated_from", TIME, "The source's own date of the row, where it has one", "UTC"),
    column("dated_to", TIME, "The source's own end of the row, where it has one", "UTC"),
    column("date_source", TEXT, "run_date or published where dated_from is given", one_of=("run_date", "published")),
)


@dataclass(frozen=True)
class Failure:
    """One reason a snapshot is not accepted."""

    table: str
    column: str
    check: str
    row: str
    value: str

    def __str__(self) -> str:
        where = f"{self.table}.{self.column}" if self.column else self.table
        at = f" (row {self.row}: {self.value})" if self.row else ""
        return f"{where}: {self.check}{at}"


@dataclass(frozen=True, eq=False)
class Table:
    """A history table: its rows are versions of facts, one row of a parsed frame each."""

    name: str
    row: str
    columns: tuple[pa.Column, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(c.name for c in self.columns)

    def _marked(self, mark: str) -> tuple[str, ...]:
        return tuple(c.name for c in self.columns if c.metadata[mark])

    @cached_property
    def key(self) -> tuple[str, ...]:
        return self._marked("key")

    @cached_property
    def opening(self) -> tuple[str, ...]:
        """Columns whose change opens a version."""
        return self._marked("opens_version")

    @cached_property
    def blocking(self) -> tuple[str, ...]:
        return self._marked("blocking")

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        return {c.name: c.metadata["kind"] for c in self.columns + DATING_COLUMNS}

    @cached_property
    def schema(self) -> pa.DataFrameSchema:
        """Of a parsed frame: strict, never coercing. That keys do not repeat is checked beside it, snapshot by snapshot."""
        columns = {c.name: c for c in self.columns + DATING_COLUMNS}
        return pa.DataFrameSchema(columns, strict=True, coerce=False, name=self.name)

    def ddl(self, schema: str) -> str:
        """CREATE TABLE statement of the internal history table."""
        described = self.columns + HISTORY_COLUMNS
        lines = [f'"{c.name}" {duckdb_type(c)}' for c in described] + ["part VARCHAR", "identity VARCHAR", "live BOOLEAN"]
        return f"CREATE TABLE IF NOT EXISTS {schema}.{self.name} ({', '.join(lines)})"


def duckdb_type(c: pa.Column) -> str:
    """Type of a column in the published file."""
    return _DUCKDB[c.metadata["kind"]]


def vocabulary(c: pa.Column) -> list[str]:
    """The only texts a column may hold; empty where it is free."""
    return [str(text) for check in c.checks for text in check.statistics.get("allowed_values", ())]


def label(c: pa.Column) -> str:
    """Meaning with unit, as comments and labels show it."""
    unit = c.metadata["unit"]
    return f"{c.description} [{unit}]" if unit else c.description


def _fits(kind: str, value: Any) -> bool:
    match kind:
        case "text" | "json":
            return _is_text(value)
        case "real":
            return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
        case "int":
            return isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63
        case "bool":
            return isinstance(value, bool)
        case "date":
            return isinstance(value, dt.date) and not isinstance(value, dt.datetime)
        case "time":
            return isinstance(value, dt.datetime) and value.tzinfo is None
        case "list":
            return isinstance(value, list) and all(map(_is_text, value))
    raise SchemaMisuse(kind)


def _is_text(value: Any) -> bool:
    """Whether a value is text that UTF-8 can hold: no half of a character."""
    return isinstance(value, str) and whole_text(value) == value


def frame(table: Table, records: list[dict[str, Any]]) -> tuple[pd.DataFrame, list[Failure]]:
    """Records (missing is None or absent) as a frame of the table's types, and every value of a wrong type.

    Nothing is converted: a number written as text, NaN or a time with a zone is a failure, its cell left empty.

    Raises SchemaMisuse where a record has a column that the table does not describe.
    """
    failures = []
    data: dict[str, Any] = {}
    named = set().union(*records)
    unknown = named - table.kinds.keys()
    if unknown:
        raise SchemaMisuse(f"{table.name} has no column {', '.join(sorted(unknown))}")
    held = sorted(named)
    columns = dict(zip(held, map(list, zip(*(map(r.get, held) for r in records), strict=True)), strict=True))
    for name, kind in table.kinds.items():
        values = columns.get(name) or [None] * len(records)
        if not _all_fit(kind, values):
            for row, value in enumerate(values):
                if value is not None and not _fits(kind, value):
                    failures.append(Failure(table.name, name, f"not {_article(kind)}", str(row), repr(value)[:120]))
                    values[row] = None
            if kind == REAL:
                values = [float(v) if v is not None else None for v in values]
        data[name] = _series(kind, values)
    return pd.DataFrame(data), failures


def _series(kind: str, values: list[Any]) -> pd.Series:
    """Values of a kind as pandas holds them; texts by way of Arrow, which is ten times as quick."""
    return pd.Series(pyarrow.array(values, pyarrow.large_string()) if _PANDAS[kind] == "str" else values, dtype=_PANDAS[kind])


def _all_fit(kind: str, values: list[Any]) -> bool:
    """Whether a look at all values at once tells that they fit; where it does not, each is to be looked at."""
    types = set(map(type, values)) - {type(None)}
    stated = [v for v in values if v is not None] if kind in (REAL, INT) else []
    if kind == REAL and types <= {float, int}:
        return all(abs(v) <= sys.float_info.max for v in (min(stated, default=0), max(stated, default=0))) and not any(map(math.isnan, stated))
    if kind == INT and types <= {int}:
        return min(stated, default=0) >= -(2**63) and max(stated, default=0) < 2**63
    if kind in (TEXT, JSON) and types == {str}:
        return _is_text("".join(filter(None, values)))
    return types <= _CERTAIN.get(kind, set())


def _article(kind: str) -> str:
    return {"real": "a finite number", "int": "a whole number", "bool": "true or false", "date": "a date", "time": "a UTC time", "list": "a list of texts"}.get(
        kind, "a text"
    )


def canonical_json(value: Any) -> str:
    """JSON text that is the same for the same content: keys sorted, no spaces, no NaN.

    Raises ValueError for NaN and Infinity.
    """
    return _ENCODER.encode(value)


def content_id(*parts: Any) -> str:
    """Id of a thing by what it is: the first 16 hex digits of the SHA-256 of the parts' canonical JSON.

    A whole number is the same part written as 20 or as 20.0. Raises ValueError for NaN and Infinity.
    """
    if all(type(p) is str for p in parts):  # what most ids are of; an encoder of JSON costs more to set up than to use
        text = f"[{','.join(map(encode_basestring, parts))}]"
    else:
        text = canonical_json([int(p) if isinstance(p, float) and p.is_integer() else p for p in parts])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
