"""Reads the published file: a fresh in-memory database with the file attached read-only, nothing else reachable."""

from __future__ import annotations

import contextlib
import csv
import datetime as dt
import json
import math
import sys
from collections.abc import Iterator
from decimal import Decimal
from itertools import count
from pathlib import Path
from typing import Any

import duckdb

from pipelines.lake import LakeError
from pipelines.publish import FILE
from pipelines.terminal import show_table


class QueryError(Exception):
    """The query cannot be answered; DuckDB's own words."""


@contextlib.contextmanager
def opened(lake: Path, as_of: dt.date | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """The published file of a lake; with `as_of` its tables answer as they stood at the end of that day.

    Raises LakeError where there is no published file or it cannot be read.
    """
    path = lake / "published" / FILE
    if not path.exists():
        raise LakeError(f"There is no published file in {lake}. Run `megawatch refresh` first.")
    con = duckdb.connect()
    try:
        try:
            con.execute(f"ATTACH '{str(path).replace(chr(39), chr(39) * 2)}' AS tracker (READ_ONLY)")
        except duckdb.Error as why:
            raise LakeError(f"{path} cannot be read ({why}). Run `megawatch rebuild`.") from why
        con.execute("SET TimeZone = 'UTC'; SET enable_external_access = false; SET lock_configuration = true")
        if as_of:
            con.execute("SET VARIABLE as_of = ?::DATE", [as_of])
        con.execute("USE tracker.as_of" if as_of else "USE tracker.main")
        yield con
    finally:
        con.close()


def records(con: duckdb.DuckDBPyConnection, query: str) -> list[dict[str, Any]]:
    """Rows as dicts.

    Raises QueryError.
    """
    names, rows = ask(con, query)
    return [dict(zip(names, row, strict=True)) for row in rows]


def ask(con: duckdb.DuckDBPyConnection, query: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Column names and rows; of columns with one name the later ones get a number.

    Raises QueryError.
    """
    try:
        result = con.execute(query)
        if result is None or not result.description:
            raise QueryError("This is no question: write a SELECT.")
        return _told_apart([d[0] for d in result.description]), result.fetchall()
    except duckdb.Error as why:
        raise QueryError(str(why)) from why


def _told_apart(names: list[str]) -> list[str]:
    apart: list[str] = []
    for name in names:
        numbered = (f"{name}_{n}" for n in count(1))
        apart.append(name if name not in apart else next(n for n in numbered if n not in apart and n not in names))
    return apart


def show(names: list[str], rows: list[tuple[Any, ...]], how: str) -> None:
    """Print rows as a table, CSV or JSON."""
    if how == "json":
        said = [{name: _jsonable(value) for name, value in zip(names, row, strict=True)} for row in rows]
        json.dump(said, sys.stdout, default=str, ensure_ascii=False, allow_nan=False, indent=1)
        print()
    elif how == "csv":
        writer = csv.writer(sys.stdout)
        writer.writerow(names)
        writer.writerows([safe_cell(v) for v in row] for row in rows)
    else:
        show_table(names, rows)


def _jsonable(value: Any) -> Any:
    """A value as JSON can hold it: decimals as numbers; `nan`, `inf` and `-inf`, which JSON does not know, as texts."""
    if isinstance(value, Decimal):
        value = float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, list | tuple):
        return [_jsonable(v) for v in value]
    if isinstance(value, dict):
        return {str(k): _jsonable(v) for k, v in value.items()}
    return value


def safe_cell(value: Any) -> Any:
    """A value that no spreadsheet takes for a formula: texts that could begin one get an apostrophe in front."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
