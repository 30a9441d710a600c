"""Describes an export as a frictionless data package (https://specs.frictionlessdata.io/data-package/) with its data dictionary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pipelines.schema import Table, label
from pipelines.sources.base import Source
from pipelines.tables import DESCRIBED

DICTIONARY_FIELDS = ("table", "row", "column", "type", "unit", "meaning")
TYPES = {"text": "string", "json": "string", "real": "number", "int": "integer", "bool": "boolean", "date": "date", "time": "datetime", "list": "array"}
READING = (
    "An empty cell is a missing figure, never zero. Times are UTC. Lists are JSON arrays. In CSV a text that a spreadsheet would take for a formula "
    "(one that begins with =, +, -, @, a tab or a carriage return) has an apostrophe in front; Parquet holds it as it is."
)


def dictionary(tables: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """What each column of the tables means, in the order of DICTIONARY_FIELDS."""
    for name in tables:
        table = DESCRIBED[name]
        for c in table.columns:
            yield (name, table.row, c.name, c.metadata["kind"], c.metadata["unit"] or "", c.description)


def resource(table: Table, path: str, size: int, sha256: str, rows: int, sources: list[Source]) -> dict[str, Any]:
    """The description of one file of the package."""
    is_csv = path.endswith(".csv")
    described: dict[str, Any] = {
        "name": f"{table.name}-{'csv' if is_csv else 'parquet'}".replace("_", "-"),
        "path": path,
        "description": f"A row is {table.row}.",
        "format": "csv" if is_csv else "parquet",
        "mediatype": "text/csv" if is_csv else "application/vnd.apache.parquet",
        "bytes": size,
        "hash": f"sha256:{sha256}",
        "rows": rows,
        "sources": [_origin(s) for s in sources],
    }
    if is_csv:
        fields = [{"name": c.name, "type": TYPES[c.metadata["kind"]], "description": label(c)} for c in table.columns]
        described |= {"profile": "tabular-data-resource", "encoding": "utf-8", "schema": {"fields": fields, "missingValues": [""]}}
    return {k: v for k, v in described.items() if v != []}


def package(about: dict[str, Any], resources: list[dict[str, Any]], sources: list[Source], left_out: dict[str, dict[str, int]]) -> dict[str, Any]:
    """The whole description: where the data come from, under which terms, and what was left out of them."""
    is_replay = about["lake_kind"] == "replay"
    given = [s for s in sources if s.terms.redistribute == "yes"]
    described: dict[str, Any] = {
        "profile": "data-package",
        "name": "megawatch-replay" if is_replay else "megawatch",
        "title": "Megawatch: what is published on serving LLMs to agents" + (" (a REPLAY of stored pages, no live data)" if is_replay else ""),
        "description": READING,
        "version": str(about["contract_version"]),
        "lake_kind": about["lake_kind"],
        "sources": [_origin(s) for s in given],
        "licenses": [{"path": s.terms.url, "title": f"Terms of {s.title}"} for s in given if s.terms.url.startswith("https://")],
        "attribution": {s.name: s.terms.attribution for s in sources},
        "left_out": [_left_out(s, left_out.get(s.name, {})) for s in sources if s.terms.redistribute != "yes"],
        "resources": resources,
    }
    if about["data_to"]:
        described["created"] = about["data_to"].isoformat() + "Z"
    return {k: v for k, v in described.items() if v != []}


def _origin(source: Source) -> dict[str, str]:
    url = {"path": source.terms.url} if source.terms.url.startswith("https://") else {}
    return {"title": source.title, **url, "attribution": source.terms.attribution, "redistribution": source.terms.redistribute}


def reason(source: Source) -> str:
    """Why a source's rows are left out."""
    why = "does not allow" if source.terms.redistribute == "no" else "is not known to allow"
    return f"{source.title} {why} redistribution in bulk; its rows, and rows derived with them, are left out"


def _left_out(source: Source, rows: dict[str, int]) -> dict[str, Any]:
    return {**_origin(source), "reason": reason(source), "rows_by_table": rows}
