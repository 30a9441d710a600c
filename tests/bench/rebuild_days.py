"""Rebuild of 117 real leaderboard days from the lake, against only unpacking and decoding the same pages.

python -m tests.bench.rebuild_days          needs ../shared
"""

import json
import resource
import tempfile
import time
from pathlib import Path

from pipelines.ingest import ingest
from pipelines.lake import Lake, new_capture
from pipelines.sources.artificial_analysis.importing import known_page
from pipelines.sources.artificial_analysis.page import Page
from pipelines.sources.registry import SOURCES
from pipelines.warehouse import Warehouse
from tests.helpers.aa_pages import PUBLIC, daily_pages
from tests.shared import SHARED

BOUND = 4.0


def main() -> dict[str, float]:
    lake = Lake(Path(tempfile.mkdtemp(prefix="bench-")))
    lake.prepare()
    page = known_page(f"{PUBLIC}/leaderboards/models")
    shas = []
    for at, body in daily_pages(SHARED / "captures/aa_models_daily_2026-04-10_2026-08-22.csv.gz"):
        sha256 = lake.put(body)
        shas.append(sha256)
        lake.record(
            new_capture(
                source="artificial_analysis",
                resource=page.resource,
                scope=page.scope,
                set_id=None,
                url=page.url,
                captured_at=at,
                outcome="fetched",
                sha256=sha256,
                bytes=len(body),
            )
        )
    started = time.process_time()
    for sha256 in shas:
        Page(lake.get(sha256))
    decoding_s = time.process_time() - started
    started = time.process_time()
    warehouse = Warehouse(lake)
    ingest(warehouse, SOURCES["artificial_analysis"])
    rebuild_s = time.process_time() - started
    versions = warehouse.count("history.models")
    warehouse.close()
    return {
        "days": len(shas),
        "versions": versions,
        "decoding_s": round(decoding_s, 2),
        "rebuild_s": round(rebuild_s, 2),
        "ratio": round(rebuild_s / decoding_s, 2),
        "bound": BOUND,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


if __name__ == "__main__":
    print(json.dumps(main()))
