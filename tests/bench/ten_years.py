"""One day's refresh with 30 days behind it against one with 3,650: what it costs must follow the day, not the past.

A day: half of 600 models changed, everything else as it was. Measured is everything but the copy at publish, which is
told beside it, with sizes, growth, and how long the dashboard's queries take.

python -m tests.bench.ten_years
"""

from __future__ import annotations

import datetime as dt
import json
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from dashboard import data
from pipelines import changes, marts
from pipelines.feeds import write_feeds
from pipelines.ingest import ingest
from pipelines.lake import Lake, new_capture
from pipelines.publish import publish
from pipelines.settings import Settings
from pipelines.sources.registry import SOURCES
from pipelines.told import Stretch, add_corrections, tell
from pipelines.warehouse import Warehouse
from tests.bench.years import AA, BEGAN, MODELS, SCOPE, fill, model_id, size_mb
from tests.dashboard.reader import APP, VIEWS
from tests.helpers.aa_pages import leaderboard_page
from tests.helpers.model_records import muse_spark_open
from tests.memory import status_mb

SHORT, LONG = 30, 3650
BOUND, QUERY_BOUND_MS = 1.3, 50
DAYS = 5


def _page(day: int) -> bytes:
    """The leaderboard of a day: of every second model another speed than the day before."""
    models = [
        muse_spark_open(
            id=model_id(n), slug=f"slug-{n}", name=f"Model {n}", medianOutputTokensPerSecond=100.0 + (day + n) // 2, intelligenceIndex=20.0 + n % 40
        )
        for n in range(MODELS)
    ]
    return leaderboard_page(models, index_version=4.3)


def _take(lake: Lake, day: int) -> None:
    body, at = _page(day), BEGAN + dt.timedelta(days=day)
    sha256 = lake.put(body)
    lake.record(
        new_capture(source=AA, resource="leaderboard", scope=SCOPE, set_id=None, url=SCOPE, captured_at=at, outcome="fetched", sha256=sha256, bytes=len(body))
    )


class _Stages(dict[str, list[float]]):
    """Processor seconds by stage."""

    def timed(self, name: str, do: Any) -> None:
        started = time.process_time()
        do()
        self.setdefault(name, []).append(time.process_time() - started)


def days_after(days: int) -> dict[str, Any]:
    """Some days with so many behind them: median processor seconds by stage, and sizes."""
    lake = Lake(Path(tempfile.mkdtemp(prefix="bench-")) / "lake")
    lake.prepare()
    lake.admit("live")
    settings = Settings(lake=lake.root, _env_file=None)  # type: ignore[call-arg]
    warehouse = Warehouse(lake)
    warehouse.con.execute("SET VARIABLE target_speeds = ?", [list(settings.target_speeds)])
    marts.prepare(warehouse)
    changes.prepare(warehouse, settings)
    fill(warehouse, days, {name: source.parser_version for name, source in SOURCES.items()})
    stages, sizes = _Stages(), []
    for day in range(days, days + DAYS):
        _take(lake, day)
        at = BEGAN + dt.timedelta(days=day)
        stages.timed("index and ingest", lambda: [ingest(warehouse, source) for source in SOURCES.values()])
        stages.timed("derive events", lambda: changes.derive(warehouse))
        stages.timed("tell", lambda at=at: tell(warehouse, at, [Stretch({})]))
        stages.timed("correct", lambda: add_corrections(warehouse))
        stages.timed("build tables", lambda: [marts.build(warehouse, file) for file in marts.in_order()])
        stages.timed("copy at publish", lambda: publish(warehouse))
        stages.timed("feeds", lambda: write_feeds(warehouse))
        warehouse.con.execute("CHECKPOINT")
        sizes.append((size_mb(lake.root / "raw"), size_mb(warehouse.path), size_mb(lake.published)))
    versions = warehouse.count("history.models")
    warehouse.close()
    first, last = sizes[1], sizes[-1]
    return {
        "days": days,
        "model_versions": versions,
        "processor_s": {name: round(statistics.median(runs[2:]), 3) for name, runs in stages.items()},
        "mb": dict(zip(("lake", "warehouse", "published"), last, strict=True)),
        "mb_a_day": {k: round((b - a) / (DAYS - 2), 3) for k, a, b in zip(("lake", "warehouse", "published"), first, last, strict=True)},
        "root": str(lake.root),
    }


def queries(lake: Path) -> dict[str, Any]:
    """How long the queries of every view take, in ms, each asked once and none from Streamlit's cache."""
    took: list[tuple[float, float, str]] = []
    asked = data._rows.__wrapped__  # type: ignore[attr-defined]

    def timed(file: Any, sql: str, *more: Any) -> Any:
        started, busy = time.monotonic(), time.process_time()
        found = asked(file, sql, *more)
        took.append((1000 * (time.monotonic() - started), 1000 * (time.process_time() - busy), " ".join(sql.split())[:80]))
        return found

    os.environ["MEGAWATCH_LAKE"] = str(lake)
    former, data._rows = data._rows, timed
    try:
        for view in VIEWS:
            app = AppTest.from_file(str(APP), default_timeout=120).run()
            if view != VIEWS[0]:
                app.switch_page(f"views/{view}.py").run()
    finally:
        data._rows = former
    took.sort()
    busy = sorted(b for _, b, _ in took)
    at = int(len(took) * 0.95)
    return {
        "queries": len(took),
        "p95_ms": round(took[at][0], 1),
        "p95_processor_ms": round(busy[at], 1),
        "slowest_ms": round(took[-1][0], 1),
        "slowest": took[-1][2],
    }


def main() -> dict[str, Any]:
    short, long = days_after(SHORT), days_after(LONG)
    counted = {d["days"]: sum(s for name, s in d["processor_s"].items() if name != "copy at publish") for d in (short, long)}
    by_stage = {name: round(long["processor_s"][name] / max(short["processor_s"][name], 0.001), 2) for name in short["processor_s"]}
    asked = queries(Path(long["root"]))
    return {
        "short": short,
        "long": long,
        "dashboard": asked,
        "query_bound_ms": QUERY_BOUND_MS,
        "ratios": by_stage,
        "ratio": round(counted[LONG] / counted[SHORT], 2),
        "bound": BOUND,
        "peak_mb": round(status_mb("VmHWM")),
    }


if __name__ == "__main__":
    print(json.dumps(main()))
