"""The warehouse: one DuckDB file, one writer, thrown away and rebuilt from the lake at will.

Schemas: `lake` (an index of what the lake logs), `history` (version rows and snapshots), `main` (published tables),
`as_of` and `current` (the views marts are written against; see marts.py).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
from filelock import FileLock, Timeout

from pipelines.lake import Lake, lines_after, utc
from pipelines.schema import Table, canonical_json
from pipelines.sources.base import Capture
from pipelines.tables import TABLES

CONTRACT_VERSION = "1"
LAYOUT_VERSION = "3"  # goes up when what is kept of a snapshot is reckoned otherwise, or a view of `main` becomes a table

_CAPTURES = """
CREATE SCHEMA IF NOT EXISTS lake;
CREATE TABLE IF NOT EXISTS lake.log_files (file VARCHAR PRIMARY KEY, read_to BIGINT);
CREATE TABLE IF NOT EXISTS lake.damaged_lines (file VARCHAR, read_at BIGINT);
CREATE TABLE IF NOT EXISTS lake.captures (
  capture_id VARCHAR, source VARCHAR, resource VARCHAR, scope VARCHAR, set_id VARCHAR, url VARCHAR, captured_at TIMESTAMP,
  outcome VARCHAR, status INTEGER, sha256 VARCHAR, bytes BIGINT, etag VARCHAR, last_modified VARCHAR, content_type VARCHAR,
  effective_at TIMESTAMP, date_source VARCHAR, authorized BOOLEAN, message VARCHAR, meta VARCHAR, file VARCHAR, read_at BIGINT);
CREATE TABLE IF NOT EXISTS lake.told (
  event_id VARCHAR, corrects VARCHAR, kind VARCHAR, severity VARCHAR, source VARCHAR, model VARCHAR, entity VARCHAR, vendor VARCHAR, accelerator VARCHAR,
  key VARCHAR, field VARCHAR, new_value VARCHAR, summary VARCHAR, source_url VARCHAR, detected_at TIMESTAMP, told_at TIMESTAMP, silently BOOLEAN,
  read_at BIGINT);
CREATE TABLE IF NOT EXISTS lake.outbox (channel VARCHAR, starts_at BIGINT, event_id VARCHAR, status VARCHAR, digest VARCHAR, read_at BIGINT);
CREATE SCHEMA IF NOT EXISTS history;
CREATE TABLE IF NOT EXISTS history.about (name VARCHAR PRIMARY KEY, value VARCHAR);
CREATE TABLE IF NOT EXISTS history.events_due (since TIMESTAMP);
CREATE SEQUENCE IF NOT EXISTS history.touches;
CREATE TABLE IF NOT EXISTS history.touched (name VARCHAR PRIMARY KEY, touch BIGINT);
CREATE TABLE IF NOT EXISTS history.made_from (name VARCHAR PRIMARY KEY, inputs VARCHAR);
CREATE TABLE IF NOT EXISTS history.snapshots (
  snapshot_id VARCHAR, source VARCHAR, resource VARCHAR, scope VARCHAR, set_id VARCHAR, held_at TIMESTAMP, captured_at TIMESTAMP,
  outcome VARCHAR, sha256 VARCHAR, bytes BIGINT, url VARCHAR, parts INTEGER, read BOOLEAN, rows BIGINT, changed_rows BIGINT, message VARCHAR,
  accepted_reason VARCHAR, content_sha256 VARCHAR, profile VARCHAR, failures VARCHAR, warnings VARCHAR, shape VARCHAR,
  unmatched_names VARCHAR[], parser_version VARCHAR);
"""

_ARROW = {
    "text": pa.string(),
    "json": pa.string(),
    "real": pa.float64(),
    "int": pa.int64(),
    "bool": pa.bool_(),
    "date": pa.date32(),
    "time": pa.timestamp("us"),
    "list": pa.list_(pa.string()),
}


WAREHOUSE = "warehouse.duckdb"
ASIDE = "warehouse.set-aside.duckdb"
DAMAGED_FILE = "is damaged"

DatabaseError = duckdb.Error

_IN_USE = ("Could not set lock", "Permission denied")


class Busy(Exception):
    """Another run holds the lake."""


class WarehouseError(Exception):
    """The warehouse cannot be used; the message says why and what was done."""


def signature() -> str:
    """Hash of everything the warehouse's layout rests on; another one means it must be rebuilt."""
    text = CONTRACT_VERSION + LAYOUT_VERSION + _CAPTURES + "".join(t.ddl("history") for t in TABLES.values())
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@contextlib.contextmanager
def lock(lake: Lake, wait_s: float = 0) -> Iterator[None]:
    """Hold the lake for one writer.

    Raises Busy where another run holds it for longer than `wait_s`.
    """
    guard = FileLock(lake.root / ".lock")
    try:
        guard.acquire(timeout=wait_s)
    except Timeout:
        raise Busy(f"Another run holds the lake {lake.root}. Nothing was done; try again when it has ended.") from None
    try:
        yield
    finally:
        guard.release()


class Warehouse:
    """The open warehouse of a lake; use it under `lock`.

    Raises WarehouseError where another program has it open or its file may not be read.
    """

    def __init__(self, lake: Lake, path: Path | None = None):
        self.lake = lake
        self.path = path or lake.root / WAREHOUSE
        self.notes: list[str] = []
        self._indexed: dict[str, int] | None = None
        self.con = self._open()

    def _open(self) -> duckdb.DuckDBPyConnection:
        if self.path.exists():
            con, why_not = self._open_former()
            if con is not None:
                return con
            self.set_aside(why_not)
        con = _connect(self.path)
        con.execute(_CAPTURES)
        for table in TABLES.values():
            con.execute(table.ddl("history"))
        con.execute("INSERT INTO history.about VALUES ('signature', ?)", [signature()])
        return con

    def _open_former(self) -> tuple[duckdb.DuckDBPyConnection | None, str]:
        """The warehouse as it was left; None where it cannot be used, and why."""
        try:
            con = _connect(self.path)
        except duckdb.Error as why:
            _refuse_where_in_use(self.path, why)
            return None, "was damaged"
        try:
            why_not = _out_of_step(con, self.lake)
        except duckdb.Error:
            why_not = "was damaged"
        if why_not is None:
            return con, ""
        con.close()
        return None, why_not

    def set_aside(self, why: str) -> None:
        """Move the file, which nobody may have open, out of the way; the next one is made from the lake."""
        aside = self.path.with_name(ASIDE)
        self.path.replace(aside)
        for wal in self.path.parent.glob(f"{self.path.name}.wal"):
            wal.unlink()
        self.notes.append(f"The warehouse {why}; it was set aside as {aside.name} and is rebuilt from the lake.")

    def close(self) -> None:
        """Close the file."""
        self.con.close()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """All or nothing."""
        self.con.execute("BEGIN")
        try:
            yield self.con
        except BaseException:
            self.con.execute("ROLLBACK")
            raise
        self.con.execute("COMMIT")

    def rows(self, sql: str, parameters: list[Any] | dict[str, Any] | None = None) -> list[dict[str, Any]]:
        """Rows of a query as dicts."""
        return _rows(self.con, sql, parameters)

    def count(self, name: str) -> int:
        """Rows of a table or view."""
        row = self.con.execute(f"SELECT count(*) FROM {name}").fetchone()
        return int(row[0]) if row else 0

    def insert(self, name: str, records: list[dict[str, Any]], kinds: Mapping[str, str]) -> None:
        """Append records to a table, by column name; `kinds` are those of schema.py."""
        if records:
            arrow = pa.Table.from_pylist(records, pa.schema([(k, _ARROW[v]) for k, v in kinds.items()]))
            self.con.register("incoming", arrow)
            self.con.execute(f"INSERT INTO {name} BY NAME SELECT * FROM incoming")
            self.con.unregister("incoming")

    def index(self) -> None:
        """Read what the capture log gained since the last reading."""
        sizes = self.lake.log_sizes()
        if sizes == self._indexed:
            return
        since = {r["file"]: r["read_to"] for r in self.rows("SELECT * FROM lake.log_files")}
        captures, damaged, ends = [], [], {}
        for file, start, end, capture in self.lake.lines(since):
            ends[file] = end
            if capture is None:
                damaged.append({"file": file, "read_at": start})
            else:
                captures.append({**vars(capture), "meta": canonical_json(dict(capture.meta)), "file": file, "read_at": start})
        if ends:
            with self.transaction():
                self.insert("lake.captures", captures, _CAPTURE_KINDS)
                self.insert("lake.damaged_lines", damaged, {"file": "text", "read_at": "int"})
                for file, end in ends.items():
                    self.con.execute("INSERT OR REPLACE INTO lake.log_files VALUES (?, ?)", [file, end])
        self._indexed = sizes

    def index_lines(self, path: Path, table: str, kinds: Mapping[str, str]) -> None:
        """Read what a log of JSON lines gained since the last reading into a table of the same columns, and `read_at`, the line's offset.

        Times are ISO 8601. A damaged line is passed over.
        """
        row = self.con.execute("SELECT read_to FROM lake.log_files WHERE file = ?", [path.name]).fetchone()
        records: list[dict[str, Any]] = []
        end = None
        for start, end, line in lines_after(path, row[0] if row else 0):  # noqa: B007
            with contextlib.suppress(ValueError, TypeError, AttributeError):
                said = json.loads(line)
                records.append({k: utc(said[k]) if kind == "time" else said[k] for k, kind in kinds.items() if said.get(k) is not None} | {"read_at": start})
        if end is not None:
            with self.transaction():
                self.insert(table, records, {**kinds, "read_at": "int"})
                self.con.execute("INSERT OR REPLACE INTO lake.log_files VALUES (?, ?)", [path.name, end])

    def captures(self, where: str, parameters: list[Any]) -> list[Capture]:
        """Captures that fit a condition, in the order they were taken; one logged twice is given once."""
        found = self.rows(f"SELECT * FROM lake.captures WHERE {where} ORDER BY captured_at, file, read_at", parameters)
        unique: dict[str, Capture] = {}
        for record in found:
            unique.setdefault(record["capture_id"], _capture(record))
        return list(unique.values())

    @contextlib.contextmanager
    def made_once(self, name: str, made_of: str) -> Iterator[bool]:
        """Whether something that stands as it was made is still to be made of this; what the block makes is noted, all or nothing."""
        if self.rows("SELECT 1 AS stands FROM history.about WHERE name = ? AND value = ?", [name, made_of]):
            yield False
            return
        with self.transaction() as con:
            yield True
            con.execute("INSERT OR REPLACE INTO history.about VALUES (?, ?)", [name, made_of])

    def touch(self, name: str) -> None:
        """Note that a history table is another than before; call it inside the transaction that writes it."""
        self.con.execute("INSERT OR REPLACE INTO history.touched VALUES (?, nextval('history.touches'))", [name])

    def insert_versions(self, table: Table, records: list[dict[str, Any]]) -> None:
        """Append version rows of a history table."""
        kinds = {n: k for n, k in table.kinds.items() if n in table.names} | VERSION_KINDS
        self.insert(f"history.{table.name}", records, kinds)
        if records:
            self.touch(table.name)


def _rows(con: duckdb.DuckDBPyConnection, sql: str, parameters: list[Any] | dict[str, Any] | None = None) -> list[dict[str, Any]]:
    result = con.execute(sql, parameters or [])
    names = [d[0] for d in result.description]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def _capture(record: dict[str, Any]) -> Capture:
    """A capture from its row of lake.captures."""
    said = {k: v for k, v in record.items() if k not in ("file", "read_at")}
    return Capture(**{**said, "meta": json.loads(record["meta"])})


VERSION_KINDS = {
    "valid_from": "time",
    "valid_to": "time",
    "date_source": "text",
    "changed_after": "time",
    "recorded_at": "time",
    "scope": "text",
    "snapshot_id": "text",
    "ended_by": "text",
    "version_id": "text",
    "part": "text",
    "identity": "text",
    "live": "bool",
}

_CAPTURE_KINDS = {
    **dict.fromkeys(
        (
            "capture_id",
            "source",
            "resource",
            "scope",
            "set_id",
            "url",
            "outcome",
            "sha256",
            "etag",
            "last_modified",
            "content_type",
            "date_source",
            "message",
            "meta",
            "file",
        ),
        "text",
    ),
    **dict.fromkeys(("captured_at", "effective_at"), "time"),
    **dict.fromkeys(("status", "bytes", "read_at"), "int"),
    "authorized": "bool",
}


def serialized(query: str) -> str:
    """A query's syntax tree as JSON, by DuckDB's own parser."""
    with duckdb.connect() as con:
        row = con.execute("SELECT json_serialize_sql(?)", [query]).fetchone()
    return str(row[0]) if row else "{}"


def _connect(path: Path) -> duckdb.DuckDBPyConnection:
    con = duckdb.connect(str(path))
    con.execute("SET TimeZone = 'UTC'; SET preserve_insertion_order = false")
    return con


def _refuse_where_in_use(path: Path, why: duckdb.Error) -> None:
    if any(sign in str(why) for sign in _IN_USE):
        raise WarehouseError(
            f"The warehouse {path} is open in another program or may not be read ({why}). Nothing was done. "
            "Close the program; to look at the data, ask the published file (`megawatch sql`) instead."
        ) from why


def _out_of_step(con: duckdb.DuckDBPyConnection, lake: Lake) -> str | None:
    """Why a warehouse is not the lake's: its layout is not today's, or the log is shorter than what was read of it."""
    row = con.execute("SELECT value FROM history.about WHERE name = 'signature'").fetchone()
    if row is None or row[0] != signature():
        return "is of another version"
    read = con.execute("SELECT file, read_to FROM lake.log_files").fetchall()
    sizes = lake.log_sizes() | {path.name: path.stat().st_size for path in (lake.told, lake.outbox) if path.exists()}
    shorter = [file for file, read_to in read if sizes.get(file, 0) < read_to]
    if shorter:
        return (
            f"remembers more of the lake's logs than there is ({', '.join(sorted(shorter))} was cut, or an older lake put back; "
            "`megawatch doctor --repair` brings back the captures it remembers)"
        )
    return None


def fault(lake: Lake, path: Path) -> str | None:
    """What is wrong with a warehouse file: not there, not the lake's, or with values that cannot be read. None where it is sound.

    Raises WarehouseError where another program has it open.
    """
    if not path.exists():
        return "is missing"
    try:
        with contextlib.closing(_connect(path)) as con:
            tables = con.execute("SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = current_database()").fetchall()
            for schema, table in tables:
                con.execute(f'SELECT bit_xor(hash(x)) FROM "{schema}"."{table}" x').fetchone()
            return _out_of_step(con, lake)
    except duckdb.Error as why:
        _refuse_where_in_use(path, why)
        return DAMAGED_FILE


def remembered(lake: Lake) -> dict[str, list[Capture]]:
    """The capture log as the warehouse set aside last, and the present one, read it: captures by log file, in their order."""
    found: dict[str, dict[str, Capture]] = {}
    for path in (lake.root / ASIDE, lake.root / WAREHOUSE):
        if not path.exists():
            continue
        with contextlib.suppress(duckdb.Error, TypeError, KeyError, ValueError), contextlib.closing(_connect(path)) as con:  # or of another layout
            for record in _rows(con, "SELECT * FROM lake.captures ORDER BY file, read_at"):
                found.setdefault(record["file"], {}).setdefault(record["capture_id"], _capture(record))
    return {file: list(captures.values()) for file, captures in found.items()}
