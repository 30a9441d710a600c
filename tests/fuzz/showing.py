"""What must hold of a lake full of hostile input: it is published, and what readers get is well-formed and runs nothing."""

from __future__ import annotations

import csv
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import feedparser

from pipelines.export import export
from pipelines.lake import Lake
from pipelines.refresh import RefreshOptions, opened
from pipelines.settings import Settings
from pipelines.sources.base import Source
from pipelines.sources.registry import SOURCES
from tests.fuzz.holding import Broken

BEGINS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def show(lake: Lake) -> None:
    """Publish a lake, read its feeds, export its tables.

    Raises Broken.
    """
    with opened(Settings(lake=lake.root, _env_file=None), RefreshOptions(fetches=False)) as run:
        run.build_all()
    if run.failed_tables:
        raise Broken(f"publishing: {run.failed_tables}", f"publishing {min(run.failed_tables)}")
    for path in sorted(lake.published.iterdir()):
        if path.suffix == ".json":
            json.loads(path.read_bytes())
        elif path.suffix != ".duckdb" and (read := feedparser.parse(path.read_bytes())).bozo:
            raise Broken(f"{path.name} is not well-formed: {read.bozo_exception}", f"feed {path.name}")
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(export(lake.root, Path(folder) / "export", map(_given_away, SOURCES.values())).path.glob("*.csv")):
            _look_at(path)


def _given_away(source: Source) -> Any:
    """The source as the export knows it, with terms that leave no row out."""
    return SimpleNamespace(name=source.name, title=source.title, terms=replace(source.terms, redistribute="yes"))


def _look_at(path: Path) -> None:
    csv.field_size_limit(1 << 30)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            for cell in row:
                if cell.startswith(BEGINS_A_FORMULA) and not _is_number(cell):
                    raise Broken(f"a cell of {path.name} begins a formula: {cell[:80]!r}", f"cell of {path.name}")


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
