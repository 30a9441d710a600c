"""Runs the SQL: one file in sql/history or sql/marts is one published table.

History files become views of the version rows (`main.<name>`; names, which are few and which every other file joins,
become a table), and views of one day (`as_of.<name>`): all rows while the variable `as_of` is not set are those that
hold now; after `SET VARIABLE as_of = DATE '2026-10-01'` those that held at the end of that day. A history file whose
rows have no validity says which rows a day sees in a line `-- as of: …`.
Mart files are written against those day views, by plain table names; each becomes a view
`as_of.<name>`, so the whole SQL answers for a past day too, and a table `main.<name>` as of now.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

from pipelines import watches
from pipelines.names import accelerator_aliases, model_aliases
from pipelines.schema import content_id
from pipelines.warehouse import Warehouse, serialized

SQL = Path(__file__).resolve().parents[1] / "sql"

AS_OF_END = """
CREATE OR REPLACE MACRO {schema}.as_of_end() AS CASE
  WHEN getvariable('as_of') IS NULL THEN 'infinity'::TIMESTAMP
  WHEN length(getvariable('as_of')::VARCHAR) = 10 THEN getvariable('as_of')::TIMESTAMP + INTERVAL 1 DAY - INTERVAL 1 MICROSECOND
  ELSE getvariable('as_of')::TIMESTAMP END"""

EVERY_DAY = "true"
DAY_FILTER = "valid_from <= as_of.as_of_end() AND (valid_to IS NULL OR valid_to > as_of.as_of_end())"


# Histories that every run adds to.
RUNNING = frozenset(("snapshots", "change_events"))

_STANDING = """
SELECT s.rows FROM history.made_from m JOIN main.table_status s ON s.table_name = m.name
WHERE m.name = ? AND m.inputs = ? AND NOT s.is_stale"""


class MartError(Exception):
    """A SQL file is wrong by itself: no header, or a circle of files."""


@dataclass(frozen=True)
class SqlFile:
    """One SQL file: its table's name, its text, whether it tells history, and which of its rows a day sees."""

    name: str
    text: str
    is_history: bool
    day_filter: str

    @property
    def heading(self) -> str:
        """The first sentence of the header."""
        return self.text.splitlines()[0].removeprefix("--").strip()


@cache
def sql_files() -> tuple[SqlFile, ...]:
    """All SQL files, and the one that watches.yaml amounts to.

    Raises MartError where one does not begin with a header comment.
    """
    found = []
    for folder in ("history", "marts"):
        for path in sorted((SQL / folder).glob("*.sql")):
            text = path.read_text(encoding="utf-8").strip().rstrip(";")
            if not text.startswith("--"):
                raise MartError(f"{path.name} has no header comment: what it is, unit of a row, what it reads")
            own_filter = re.search(r"^-- as of: (.+)$", text, re.MULTILINE)
            found.append(SqlFile(path.stem, text, folder == "history", own_filter[1] if own_filter else DAY_FILTER))
    found.append(SqlFile("watches", watches.mart_sql(), is_history=False, day_filter=DAY_FILTER))
    return tuple(found)


def macros() -> list[str]:
    """Statements of sql/macros/*.sql, each creating a macro in schema {schema}."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((SQL / "macros").glob("*.sql"))]
    return [statement.strip() for text in texts for statement in text.split(";\n") if statement.strip()]


def reads(text: str) -> set[str]:
    """Names of the published tables a query reads: those without a schema, its own common table expressions left out.

    Raises MartError where the text is no query.
    """
    tree = json.loads(serialized(text))
    if tree.get("error"):
        raise MartError(tree.get("error_message", "not a query"))
    names: set[str] = set()
    own: set[str] = set()
    for node in _nodes(tree):
        if node.get("type") == "BASE_TABLE" and not node.get("schema_name"):
            names.add(node["table_name"])
        own.update(entry["key"] for entry in node.get("cte_map", {}).get("map", []))
    return names - own


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    if isinstance(tree, dict):
        yield tree
        for value in tree.values():
            yield from _nodes(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from _nodes(value)


@cache
def dependencies() -> dict[str, frozenset[str]]:
    """What each file reads of the other files' tables."""
    files = sql_files()
    names = {f.name for f in files}
    return {f.name: frozenset(reads(f.text) & names) for f in files}


def in_order() -> list[SqlFile]:
    """History files, then mart files, those that others read first.

    Raises graphlib.CycleError where files read each other in a circle.
    """
    files = {f.name: f for f in sql_files()}
    order = TopologicalSorter(dependencies()).static_order()
    return sorted((files[n] for n in order), key=lambda f: not f.is_history)


def create_day_views(con: Any, there: set[str]) -> None:
    """The macros, and the day views of the history tables that are `there` in `main` of an open database."""
    _create_macros(con, ("main", "as_of"))
    for file in sql_files():
        if file.is_history and file.name in there:
            _create_day_view(con, file)


def _create_macros(con: Any, schemas: tuple[str, ...]) -> None:
    con.execute("CREATE SCHEMA IF NOT EXISTS as_of")
    for schema in schemas:
        con.execute(AS_OF_END.format(schema=schema))
        for macro in macros():
            con.execute(macro.replace("{schema}", schema))


def _create_day_view(con: Any, file: SqlFile) -> None:
    con.execute(f"CREATE OR REPLACE VIEW as_of.{file.name} AS SELECT * FROM main.{file.name} WHERE {file.day_filter}")


def _behind(name: str) -> set[str]:
    """Names of every file a file rests on, itself among them."""
    return {name}.union(*map(_behind, dependencies()[name]))


@cache
def _reference() -> str:
    """Hash of what tables are made from besides histories: macros and names."""
    return content_id(macros(), AS_OF_END, [vars(a) for a in model_aliases()], accelerator_aliases())


def _resting_on(name: str) -> tuple[str, frozenset[str]]:
    """Hash of the SQL of every file a file rests on, and the histories they read."""
    behind = _behind(name)
    texts = [f"{f.day_filter}\n{f.text}" for f in sql_files() if f.name in behind]
    return content_id(*texts), frozenset(history for text in texts for history in re.findall(r"\bhistory\.(\w+)", text))


def _inputs(warehouse: Warehouse, file: SqlFile) -> str | None:
    """What a table is made from: its SQL, the settings, the state of the histories it rests on. None for what rests on every run."""
    texts, histories = _resting_on(file.name)
    if histories & RUNNING:
        return None
    (speeds,) = warehouse.rows("SELECT getvariable('target_speeds')::VARCHAR AS said")
    touches = {r["name"]: r["touch"] for r in warehouse.rows("SELECT name, touch FROM history.touched")}
    return content_id(texts, _reference(), speeds["said"], [[name, touches.get(name)] for name in sorted(histories)])


def prepare(warehouse: Warehouse) -> None:
    """Make the schemas, macros and the status table that views and marts rest on."""
    con = warehouse.con
    con.execute("CREATE SCHEMA IF NOT EXISTS current")
    con.execute("CREATE TABLE IF NOT EXISTS main.table_status (table_name VARCHAR PRIMARY KEY, is_stale BOOLEAN, rows BIGINT, message VARCHAR)")
    con.execute("DELETE FROM main.table_status WHERE table_name NOT IN (SELECT unnest(?))", [[f.name for f in sql_files()]])
    with warehouse.made_once("macros and names", _reference()) as is_due:
        if is_due:
            _create_macros(con, ("main", "as_of", "current"))
            con.execute("CREATE OR REPLACE TABLE history.model_names (name VARCHAR, model_key VARCHAR, aa_id VARCHAR, aa_slug VARCHAR)")
            warehouse.insert("history.model_names", [vars(a) for a in model_aliases()], dict.fromkeys(("name", "model_key", "aa_id", "aa_slug"), "text"))
            con.execute(
                "CREATE OR REPLACE TABLE history.accelerator_names (name VARCHAR, accelerator VARCHAR, vendor VARCHAR, per_node BIGINT, per_rack BIGINT)"
            )
            kinds = {"name": "text", "accelerator": "text", "vendor": "text", "per_node": "int", "per_rack": "int"}
            warehouse.insert("history.accelerator_names", accelerator_aliases(), kinds)


def build(warehouse: Warehouse, file: SqlFile) -> int:
    """Build one published table and note how it stands; returns its rows. One whose inputs are what they were stays as it is.

    Raises duckdb.Error where the SQL fails; the former table then stays.
    """
    con = warehouse.con
    inputs = _inputs(warehouse, file)
    if inputs is not None and (made := warehouse.rows(_STANDING, [file.name, inputs])):
        return int(made[0]["rows"])
    con.execute(f"USE {'main' if file.is_history else 'current'}")
    try:
        with warehouse.transaction():
            (_create_views if file.is_history else _create_table)(con, file)
            rows = warehouse.count(f"main.{file.name}")
            stale = {r["table_name"] for r in warehouse.rows("SELECT table_name FROM main.table_status WHERE is_stale")}
            former_read = sorted(stale & dependencies()[file.name])
            message = f"Made from the former rows of {', '.join(former_read)}" if former_read else None
            con.execute("INSERT OR REPLACE INTO main.table_status VALUES (?, ?, ?, ?)", [file.name, bool(former_read), rows, message])
            con.execute("INSERT OR REPLACE INTO history.made_from VALUES (?, ?)", [file.name, inputs])
    finally:
        con.execute("USE main")
    return rows


def mark_stale(warehouse: Warehouse, name: str, why: str) -> None:
    """Note that a table could not be built and keeps its former rows."""
    former = "SELECT rows FROM main.table_status WHERE table_name = ?"
    warehouse.con.execute(f"INSERT OR REPLACE INTO main.table_status SELECT ?, true, ({former}), ?", [name, name, why[:500]])


def _create_views(con: Any, file: SqlFile) -> None:
    con.execute(f"CREATE OR REPLACE {'TABLE' if file.day_filter == EVERY_DAY else 'VIEW'} main.{file.name} AS {file.text}")
    _create_day_view(con, file)
    held = "TABLE" if file.day_filter == DAY_FILTER else "VIEW"  # what holds now is little beside years of versions, and many marts read it
    con.execute(f"CREATE OR REPLACE {held} current.{file.name} AS FROM as_of.{file.name}")


def _create_table(con: Any, mart: SqlFile) -> None:
    con.execute(f"CREATE OR REPLACE TABLE main.{mart.name} AS {mart.text}")
    con.execute(f"CREATE OR REPLACE VIEW current.{mart.name} AS FROM main.{mart.name}")
