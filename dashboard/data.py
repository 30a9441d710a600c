"""The only file that opens DuckDB in the page's process: questions to the published file, and the way to the SQL box.

A published file is replaced by rename, so it is known by path, inode and time of change. Each is attached read-only
to an in-memory database of its own (a second `duckdb.connect` on a replaced path would see the old file) and kept
while it is one of the last two, with the tables of the past days asked for last (past.py). Every question runs on a
cursor of its own. A connection that falls out of the cache is not closed by hand: a question may still run on it, and
it goes with its last cursor.
"""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import streamlit as st

from dashboard import box as box_process
from dashboard.past import PastDay
from pipelines.publish import FILE

SECONDS = 20
ROWS = 20_000
BOX_SECONDS = 5
PAST_DAYS = 3

Row = dict[str, Any]


class NotPublished(Exception):
    """There is no published file yet, or it cannot be read; the message says what to do."""


class Unanswered(Exception):
    """The published file cannot answer a question of ours; DuckDB's own words."""


class Refused(Exception):
    """The SQL box does not run this; the message says why."""


@dataclass(frozen=True)
class Published:
    """One published file, told apart from those published before and after it under the same path."""

    path: str
    inode: int
    mtime_ns: int


@dataclass(frozen=True)
class Column:
    """A column as the published file describes it."""

    name: str
    kind: str
    meaning: str


@dataclass(frozen=True)
class Described:
    """A table as the published file describes it; `by_day` says whether it can be asked for a past day."""

    name: str
    row: str
    columns: tuple[Column, ...]
    by_day: bool

    @property
    def names(self) -> frozenset[str]:
        """Its column names."""
        return frozenset(c.name for c in self.columns)


_in_use: ContextVar[Published] = ContextVar("published")


def use(lake: Path) -> Published:
    """Let every question of this run of the page go to the lake's file as it is published now.

    Raises NotPublished.
    """
    path = lake / "published" / FILE
    try:
        stat = path.stat()
    except OSError:
        raise NotPublished(f"There is no published database in {lake}. Run `make refresh` (or `megawatch refresh`), then reload this page.") from None
    file = Published(str(path.resolve()), stat.st_ino, stat.st_mtime_ns)
    _in_use.set(file)
    _connection(file)
    return file


def in_use() -> Published:
    """The file that this run of the page asks."""
    return _in_use.get()


def _attach(path: str, **config: Any) -> duckdb.DuckDBPyConnection:
    con = duckdb.connect(config={"python_enable_replacements": False, **config})
    con.execute("SET GLOBAL TimeZone = 'UTC'")
    con.execute(f"ATTACH '{path.replace(chr(39), chr(39) * 2)}' AS tracker (READ_ONLY)")
    return con


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@st.cache_resource(max_entries=2, show_spinner=False)
def _connection(file: Published) -> duckdb.DuckDBPyConnection:
    """The file attached, with schema `now`: marts as they were built, history as it holds now. Past days of other files are let go."""
    _past_day.clear()
    try:
        con = _attach(file.path)
    except duckdb.Error as why:
        raise NotPublished(f"The published database cannot be read ({str(why).splitlines()[0]}). Run `megawatch rebuild`, then reload this page.") from why
    con.execute("CREATE SCHEMA now")
    for name, schema in con.execute(_NOW).fetchall():
        con.execute(f"CREATE VIEW now.{_quoted(name)} AS FROM tracker.{schema}.{_quoted(name)}")
    con.execute("SET enable_external_access = false; SET lock_configuration = true")
    return con


@st.cache_resource(max_entries=PAST_DAYS, show_spinner=False)
def _past_day(file: Published, day: dt.date, _con: duckdb.DuckDBPyConnection) -> PastDay:
    return PastDay(_con, day)


# Rows of history tables hold for a time; a mart's table is what its day view answers for now, already computed.
_NOW = """
SELECT t.table_name, if(v.view_name IS NOT NULL AND c.column_name IS NOT NULL, 'as_of', 'main')
FROM duckdb_tables() t
LEFT JOIN duckdb_views() v ON v.database_name = 'tracker' AND v.schema_name = 'as_of' AND v.view_name = t.table_name
LEFT JOIN duckdb_columns() c ON c.database_name = 'tracker' AND c.schema_name = 'main' AND c.table_name = t.table_name AND c.column_name = 'valid_to'
WHERE t.database_name = 'tracker' AND t.schema_name = 'main'"""


@contextmanager
def _interrupted_after(seconds: float, con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    timer = threading.Timer(seconds, con.interrupt)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def rows(sql: str, parameters: Sequence[Any] | Mapping[str, Any] = (), as_of: dt.date | None = None) -> list[Row]:
    """Rows as dicts. Plain table names answer as of now, or as of the end of a day; `tracker.main.x` holds every version.

    Raises Unanswered where the file does not hold what is asked for or takes longer than SECONDS, ValueError for more than ROWS rows.
    """
    given = tuple(parameters.items()) if isinstance(parameters, Mapping) else tuple(parameters)
    return _rows(in_use(), sql, given, isinstance(parameters, Mapping), as_of)


@st.cache_data(max_entries=500, max_size="200MB", show_spinner=False)
def _rows(file: Published, sql: str, given: tuple[Any, ...], named: bool, as_of: dt.date | None) -> list[Row]:
    with _asking(file, sql, as_of) as cursor:
        cursor.execute(sql, dict(given) if named else list(given))
        return _fetched(cursor)


@contextmanager
def _asking(file: Published, sql: str, as_of: dt.date | None) -> Iterator[duckdb.DuckDBPyConnection]:
    """A cursor for one question, turned to a day, interrupted after SECONDS; what goes wrong on it is Unanswered."""
    con = _connection(file)
    with con.cursor() as cursor, _interrupted_after(SECONDS, cursor):
        try:
            if as_of:
                day = _past_day(file, as_of, con)
                day.turn(cursor, sql)
            else:
                cursor.execute("USE memory.now")
            yield cursor
        except (duckdb.Error, TimeoutError) as why:
            raise Unanswered(str(why)) from why


def _fetched(cursor: duckdb.DuckDBPyConnection) -> list[Row]:
    names = [d[0] for d in cursor.description]
    found = cursor.fetchmany(ROWS + 1)
    if len(found) > ROWS:
        raise ValueError(f"more than {ROWS:,} rows; filter in SQL")
    return [dict(zip(names, row, strict=True)) for row in found]


def costs_at(speeds: Sequence[float], where: str, parameters: Sequence[Any], *, basis: str, cost_of: str, as_of: dt.date | None = None) -> list[Row]:
    """Rows of cost_at_interactivity for other target speeds (output tok/s per user), over the frontier points that `where` holds for.

    It is the mart's own SQL, as it stands in the file, on a few points of the frontier: the whole of it for many speeds takes seconds.

    Raises Unanswered.
    """
    return _costs_at(in_use(), tuple(map(float, speeds)), where, tuple(parameters), basis, cost_of, as_of)


@st.cache_data(max_entries=100, max_size="100MB", show_spinner=False)
def _costs_at(file: Published, speeds: tuple[float, ...], where: str, given: tuple[Any, ...], basis: str, cost_of: str, as_of: dt.date | None) -> list[Row]:
    mart = _costs_sql(file)
    with _asking(file, mart, as_of) as cursor:
        cursor.execute(f"CREATE TEMP TABLE frontier_points AS FROM frontier_points WHERE {where}", list(given))
        cursor.execute(f"SET VARIABLE target_speeds = {list(speeds)}::DOUBLE[]")
        cursor.execute(
            f"""FROM ({mart}) WHERE method <> 'stated' AND price_basis = ? AND cost_of = ?
                ORDER BY accelerator, precision, interactivity_tok_s""",
            [basis, cost_of],
        )
        return _fetched(cursor)


def _costs_sql(file: Published) -> str:
    with _connection(file).cursor() as cursor:
        (view,) = cursor.execute(
            "SELECT sql FROM duckdb_views() WHERE database_name = 'tracker' AND schema_name = 'as_of' AND view_name = 'cost_at_interactivity'"
        ).fetchone() or ("",)
    return str(view).partition(" AS ")[2].rstrip("; \n")


def one(sql: str, parameters: Sequence[Any] | Mapping[str, Any] = (), as_of: dt.date | None = None) -> Row:
    """The first row; empty where there is none."""
    return next(iter(rows(sql, parameters, as_of)), {})


_DESCRIBED = """
SELECT t.table_name AS name, coalesce(t.comment, '') AS row, v.view_name IS NOT NULL AS by_day,
       list({'name': c.column_name, 'kind': c.data_type, 'meaning': coalesce(c.comment, '')} ORDER BY c.column_index) AS columns
FROM duckdb_tables() t
JOIN duckdb_columns() c ON c.database_name = 'tracker' AND c.schema_name = 'main' AND c.table_name = t.table_name
LEFT JOIN duckdb_views() v ON v.database_name = 'tracker' AND v.schema_name = 'as_of' AND v.view_name = t.table_name
WHERE t.database_name = 'tracker' AND t.schema_name = 'main'
GROUP BY ALL ORDER BY name"""


def tables() -> dict[str, Described]:
    """Every published table, from the catalogue."""
    return _tables(in_use())


@st.cache_resource(max_entries=2, show_spinner=False)
def _tables(file: Published) -> dict[str, Described]:
    with _connection(file).cursor() as cursor:
        found = cursor.execute(_DESCRIBED).fetchall()
    return {name: Described(name, row, tuple(Column(**c) for c in columns), by_day) for name, row, by_day, columns in found}


def columns(name: str) -> frozenset[str]:
    """The columns of a published table; none where it is not published."""
    known = tables().get(name)
    return known.names if known else frozenset()


def has(*names: str) -> bool:
    """Whether all these tables are published."""
    return tables().keys() >= set(names)


@dataclass(frozen=True)
class Answer:
    """What the SQL box gives: `cut` says in words what was left out, where something was."""

    names: list[str]
    rows: list[list[Any]]
    cut: str | None


def box(sql: str, as_of: dt.date | None = None) -> Answer:
    """Answer one SELECT of a reader in a process of its own: no other file or host, no settings, limits on time, memory and rows.

    Raises Refused.
    """
    file = in_use()
    try:
        first = _past_day(file, as_of, _connection(file)).statements(sql) if as_of else ["USE tracker.main"]
    except duckdb.Error as why:
        raise Refused(str(why)) from why
    request = {"path": file.path, "first": first, "sql": sql, "seconds": BOX_SECONDS}
    if not _boxes.acquire(timeout=BOX_SECONDS):
        raise Refused("Other readers' queries are running. Try again in a few seconds.")
    try:
        done = subprocess.run([sys.executable, "-I", box_process.__file__], input=json.dumps(request), capture_output=True, text=True, timeout=BOX_SECONDS + 2)
        told = json.loads(done.stdout) if done.returncode == 0 else {"refused": "memory"}
    except subprocess.TimeoutExpired:
        told = {"refused": "time"}
    finally:
        _boxes.release()
    if "refused" in told:
        raise Refused(_REASONS.get(told["refused"], told["refused"]))
    return Answer(**told)


_boxes = threading.BoundedSemaphore(2)
_REASONS = {
    "time": f"The query was stopped after {BOX_SECONDS} seconds. Filter more, or run it with `megawatch sql`, which has no limit.",
    "memory": f"The query needs more memory than this box gives ({box_process.MEMORY}). Filter more, or run it with `megawatch sql`.",
}
