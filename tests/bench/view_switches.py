"""Switching to each view with a million versions published, today and on a past day, against the second it may take.

Each view is met as its first reader meets it, nothing of the day or of its questions being held, and then by the next.

python -m tests.bench.view_switches
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from pathlib import Path

from streamlit.testing.v1 import AppTest

from dashboard import data
from tests.dashboard.reader import APP, VIEWS
from tests.memory import status_mb
from tests.sql.million import fill
from tests.sql.world import World

PAST_DAY = "2025-06-01"
BOUND = 1.0


def published() -> Path:
    """A lake with a million versions, and a snapshot so that the page knows how far its data go."""
    world = World(Path(tempfile.mkdtemp(prefix="bench-")) / "lake")
    fill(world.warehouse)
    world.warehouse.con.execute(
        """INSERT INTO history.snapshots BY NAME SELECT 's' AS snapshot_id, 'inferencex' AS source, 'page' AS resource, 'page' AS scope, 'changed' AS outcome,
           TIMESTAMP '2026-11-29 23:00:00' AS captured_at, TIMESTAMP '2026-11-29 23:00:00' AS held_at"""
    )
    world.publish()
    world.close()
    return world.lake.root


def switch_s(view: str, **state: str) -> float:
    """Seconds that a reader of the first page waits for another view."""
    app = AppTest.from_file(str(APP), default_timeout=120)
    for name, value in state.items():
        app.query_params[name] = value
    app.run()
    started = time.monotonic()
    app.switch_page(f"views/{view}.py").run()
    assert not app.exception, app.exception
    return time.monotonic() - started


def forget() -> None:
    """Hold nothing of what was asked."""
    for cache in (data._rows, data._costs_at, data._past_day):
        cache.clear()


def main() -> dict[str, object]:
    """First and next switch to every view, in ms; the ratio is the slowest of them over a second."""
    os.environ["MEGAWATCH_LAKE"] = str(published())
    for view in VIEWS[1:]:
        switch_s(view)
    took = {}
    for when, state in (("today", {}), ("past day", {"day": PAST_DAY})):
        for view in VIEWS[1:]:
            forget()
            took[f"{view}, {when}"] = [round(1000 * switch_s(view, **state)) for _ in range(2)]
    return {
        "first_and_next_ms": took,
        "ratio": round(max(max(ms) for ms in took.values()) / 1000 / BOUND, 2),
        "bound": 1,
        "peak_mb": round(status_mb("VmHWM")),
    }


if __name__ == "__main__":
    print(json.dumps(main()))
