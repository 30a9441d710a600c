"""Exports the published tables as Parquet and CSV, as a frictionless data package with its dictionary.

Rows whose source may not be redistributed in bulk are left out, and so are derived rows made with them; the package
says what was. What comes from a replay lake says so in every file name.
"""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pipelines import reader
from pipelines.datapackage import DICTIONARY_FIELDS, dictionary, package, resource
from pipelines.schema import Table
from pipelines.sources.base import Source
from pipelines.tables import DESCRIBED

BATCH_ROWS = 50_000
_OWN_RECORDS = ("source_health",)


class ExportError(Exception):
    """Nothing was exported; the message says why and what to do."""


@dataclass
class Exported:
    """What an export holds: rows by table, rows left out by source and table, and whether it is of a replay."""

    path: Path
    is_replay: bool
    rows: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, dict[str, int]] = field(default_factory=dict)


def export(lake: Path, to: Path | None, sources: Iterable[Source]) -> Exported:
    """Write every published table of a lake to a new folder (`megawatch-export` here by default).

    Raises ExportError where the folder is not empty, LakeError where there is no published file.
    """
    with reader.opened(lake) as con:
        (about,) = reader.records(con, "FROM about")
        is_replay = about["lake_kind"] == "replay"
        done = Exported(to or Path("megawatch-export-replay" if is_replay else "megawatch-export"), is_replay)
        if done.path.exists() and (not done.path.is_dir() or any(done.path.iterdir())):
            raise ExportError(f"{done.path} is there and not empty. Nothing was written; name another folder with --to, or empty it.")
        done.path.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=".exporting-", dir=done.path.parent))
        try:
            _write_all(con, draft, done, about, list(sources))
            draft.chmod(0o755)
            draft.replace(done.path)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return done


def _write_all(con: Any, folder: Path, done: Exported, about: dict[str, Any], sources: list[Source]) -> None:
    withheld = [s.name for s in sources if s.terms.redistribute != "yes"]
    prefix = "replay-" if done.is_replay else ""
    resources = []
    for name in _tables(con):
        table = DESCRIBED[name]
        columns = () if name in _OWN_RECORDS else source_columns(table)
        for source in withheld:
            if rows := _count(con, name, _holds(columns, [source])):
                done.left_out.setdefault(source, {})[name] = rows
        kept = f"NOT ({_holds(columns, withheld)})"
        done.rows[name] = _write_table(con.sql(f'SELECT * FROM "{name}" WHERE {kept} ORDER BY ALL'), folder / f"{prefix}{name}", table)
        named = {v for c in columns for (v,) in reader.ask(con, f'SELECT DISTINCT "{c}" FROM "{name}" WHERE {kept}')[1]}
        within = [s for s in sources if s.name in named]
        for path in (folder / f"{prefix}{name}.csv", folder / f"{prefix}{name}.parquet"):
            resources.append(resource(table, path.name, path.stat().st_size, _sha256(path), done.rows[name], within))
    _write_csv(folder / f"{prefix}data_dictionary.csv", DICTIONARY_FIELDS, dictionary(done.rows))
    described = package(about, resources, sources, done.left_out)
    (folder / "datapackage.json").write_text(json.dumps(described, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _tables(con: Any) -> list[str]:
    """Names of the published tables.

    Raises ExportError where they are not as this version describes them.
    """
    columns = (
        "SELECT table_name, list(column_name ORDER BY column_index) AS columns FROM duckdb_columns() WHERE schema_name = 'main' AND NOT internal GROUP BY ALL"
    )
    found = {r["table_name"]: set(r["columns"]) for r in reader.records(con, columns)}
    other = sorted(n for n, there in found.items() if n not in DESCRIBED or there != set(DESCRIBED[n].names))
    if other:
        raise ExportError(
            f"The published file was made by another version of Megawatch ({', '.join(other)} differ). Nothing was written; run `megawatch rebuild` first."
        )
    return sorted(found)


def source_columns(table: Table) -> tuple[str, ...]:
    """The columns that may name a source of ours: `source` and those that end in `_source`."""
    return tuple(n for n in table.names if n == "source" or n.endswith("_source"))


def _holds(columns: Iterable[str], sources: Iterable[str]) -> str:
    listed = ", ".join(f"'{s}'" for s in sources)
    return " OR ".join(f'coalesce("{c}" IN ({listed}), false)' for c in columns if listed) or "false"


def _count(con: Any, name: str, condition: str) -> int:
    return int(reader.records(con, f'SELECT count(*) AS rows FROM "{name}" WHERE {condition}')[0]["rows"])


def _write_table(relation: Any, base: Path, table: Table) -> int:
    """Write a relation as base.parquet and base.csv; returns its rows."""
    batches = relation.to_arrow_reader(BATCH_ROWS)
    rows = 0
    with (
        pq.ParquetWriter(base.with_name(f"{base.name}.parquet"), batches.schema, compression="zstd") as parquet,
        base.with_name(f"{base.name}.csv").open("w", encoding="utf-8", newline="") as file,
    ):
        writer = csv.writer(file)
        writer.writerow(batches.schema.names)
        for batch in batches:
            parquet.write_batch(batch)
            writer.writerows(zip(*([cell(v) for v in column] for column in _columns(batch)), strict=True))
            rows += batch.num_rows
    return rows


def _columns(batch: pa.RecordBatch) -> list[list[Any]]:
    return [column.to_pylist() for column in batch.columns]


def _write_csv(path: Path, names: Iterable[str], rows: Iterable[Iterable[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows([cell(v) for v in row] for row in rows)


def cell(value: Any) -> Any:
    """A value as a CSV cell: missing is empty, times are UTC with Z, lists are JSON; no text begins a formula."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dt.datetime):
        return value.isoformat() + "Z"
    if isinstance(value, list):
        return json.dumps([reader.safe_cell(v) for v in value], ensure_ascii=False)
    return reader.safe_cell(value)


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
