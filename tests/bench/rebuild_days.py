"""Rebuild of 117 real leaderboard days from the lake, against only unpacking and decoding the same pages. Processor time.

python -m tests.bench.rebuild_days          needs ../shared
"""

from __future__ import annotations

import json
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import Any

from pipelines.ingest import ingest
from pipelines.lake import Lake, new_capture
from pipelines.sources.artificial_analysis.importing import known_page
from pipelines.sources.artificial_analysis.page import Page
from pipelines.sources.registry import SOURCES
from pipelines.warehouse import Warehouse
from tests.helpers.aa_pages import PUBLIC, daily_pages
from tests.memory import status_mb
from tests.shared import SHARED

BOUND = 4.0
ARCHIVE = SHARED / "captures" / "aa_models_daily_2026-04-10_2026-08-22.csv.gz"


def lake_of(days: int | None = None) -> tuple[Lake, list[str]]:
    """A lake that holds the first days of the archive as pages, or all of them; and the pages' hashes."""
    lake = Lake(Path(tempfile.mkdtemp(prefix="bench-")))
    lake.prepare()
    page = known_page(f"{PUBLIC}/leaderboards/models")
    shas = []
    for at, body in islice(daily_pages(ARCHIVE), days):
        sha256 = lake.put(body)
        shas.append(sha256)
        where = {"source": "artificial_analysis", "resource": page.resource, "scope": page.scope, "set_id": None, "url": page.url}
        lake.record(new_capture(**where, captured_at=at, outcome="fetched", sha256=sha256, bytes=len(body)))
    return lake, shas


def rebuild_s(lake: Lake) -> tuple[float, int]:
    """Processor seconds of making the warehouse from the lake, and how many versions it holds."""
    started = time.process_time()
    warehouse = Warehouse(lake)
    ingest(warehouse, SOURCES["artificial_analysis"])
    seconds = time.process_time() - started
    versions = warehouse.count("history.models")
    warehouse.close()
    return seconds, versions


def main() -> dict[str, Any]:
    lake, shas = lake_of()
    started = time.process_time()
    for sha256 in shas:
        Page(lake.get(sha256))
    decoding = time.process_time() - started
    rebuilding, versions = rebuild_s(lake)
    told = {"decoding_s": round(decoding, 2), "rebuild_s": round(rebuilding, 2), "ratio": round(rebuilding / decoding, 2), "bound": BOUND}
    return {"days": len(shas), "versions": versions, **told, "peak_mb": round(status_mb("VmHWM"))}


if __name__ == "__main__":
    print(json.dumps(main()))
