"""Publishes one read-only file: built beside the old one, swapped in by rename. A broken file is never published.

The file holds the published tables in `main`, with comments, and in `as_of` the views that answer for a past day.
It is written in DuckDB's 1.4 storage, so that older clients and other tools can open it.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import duckdb

from pipelines import marts
from pipelines.schema import label
from pipelines.tables import DESCRIBED
from pipelines.warehouse import CONTRACT_VERSION, Warehouse

STORAGE_VERSION = "v1.4.0"
FILE = "tracker.duckdb"


def publish(warehouse: Warehouse) -> Path:
    """Write the published file of a warehouse; returns its path.

    Raises duckdb.Error or OSError where it cannot be written; the former file then stays.
    """
    target = warehouse.lake.published / FILE
    target.parent.mkdir(parents=True, exist_ok=True)
    for leftover in target.parent.glob(".publishing-*"):
        leftover.unlink()
    draft = target.parent / f".publishing-{os.getpid()}.duckdb"
    con = warehouse.con
    try:
        con.execute(f"ATTACH '{_quoted(draft)}' AS publishing (STORAGE_VERSION '{STORAGE_VERSION}')")
        try:
            with warehouse.transaction():
                built = _copy(warehouse)
            _add_views(warehouse, built)
            con.execute("CHECKPOINT publishing")
        finally:
            con.execute("USE warehouse.main")
            con.execute("DETACH publishing")
        if why := check(draft):
            raise duckdb.Error(f"the draft cannot be read back: {why}")
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        draft.replace(target)
    finally:
        for leftover in target.parent.glob(f"{draft.name}*"):
            leftover.unlink()
    return target


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")


def _copy(warehouse: Warehouse) -> set[str]:
    """Copy every table there is; returns the names of all tables that files made."""
    con = warehouse.con
    built = {
        r[0] for r in con.execute("SELECT table_name FROM information_schema.tables WHERE table_catalog = 'warehouse' AND table_schema = 'main'").fetchall()
    }
    for file in marts.sql_files():
        if file.name in built:
            con.execute(f'CREATE TABLE publishing.main."{file.name}" AS FROM main."{file.name}"')
    con.execute("CREATE TABLE publishing.main.table_status AS FROM main.table_status")
    con.execute(
        "CREATE TABLE publishing.main.about AS SELECT ? AS contract_version, ? AS lake_kind, max(captured_at) AS data_to FROM history.snapshots",
        [CONTRACT_VERSION, warehouse.lake.kind],
    )
    _comment(con)
    return built


def _comment(con: duckdb.DuckDBPyConnection) -> None:
    """Say what tables and columns are, in one go: hundreds of statements by themselves cost more than the tables."""
    there = con.execute("SELECT table_name, column_name FROM duckdb_columns() WHERE database_name = 'publishing' AND schema_name = 'main'").fetchall()
    said = [
        f'COMMENT ON TABLE publishing.main."{name}" IS {_text("A row is " + DESCRIBED[name].row)}'
        for name in sorted({n for n, _ in there})
        if name in DESCRIBED
    ]
    labels = {(name, column.name): label(column) for name, table in DESCRIBED.items() for column in table.columns}
    said += [f'COMMENT ON COLUMN publishing.main."{name}"."{column}" IS {_text(labels[name, column])}' for name, column in there if (name, column) in labels]
    con.execute(";\n".join(said))


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _add_views(warehouse: Warehouse, built: set[str]) -> None:
    con = warehouse.con
    con.execute("USE publishing")
    marts.create_day_views(con, built)
    con.execute("USE publishing.as_of")
    for mart in (f for f in marts.in_order() if not f.is_history):
        with contextlib.suppress(duckdb.Error):  # a mart that fails is marked in table_status already
            con.execute(f"CREATE VIEW {mart.name} AS {mart.text}")


def check(path: Path, *, deeply: bool = False) -> str | None:
    """Open a published file as a reader would and ask every table; with `deeply` read every value. What is wrong, if anything."""
    with duckdb.connect() as con:
        try:
            con.execute(f"ATTACH '{_quoted(path)}' AS tracker (READ_ONLY)")
            for (name,) in con.execute("SELECT table_name FROM duckdb_tables() WHERE database_name = 'tracker'").fetchall():
                con.execute(f'SELECT {"bit_xor(hash(x))" if deeply else "count(*)"} FROM tracker.main."{name}" x').fetchone()
        except duckdb.Error as why:
            return str(why)
    return None
