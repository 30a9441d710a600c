"""The largest answers are read within bounds of time and memory."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROWS, METRICS, SECONDS, BYTES = 20_000, 100, 15, 1 << 30
ROOT = Path(__file__).resolve().parents[2]

READ = """
import datetime as dt, json, sys, time
from pathlib import Path
from pipelines.ingest import ingest
from pipelines.lake import Lake, new_capture
from pipelines.sources.inferencex.source import INFERENCEX
from pipelines.warehouse import Warehouse
from tests.memory import status_mb
from tests.unit.inferencex.by_hand import SCOPE, september

folder, rows, metrics = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
lake = Lake(folder)
lake.prepare()
more = metrics - len(september()["metrics"])
row = lambda n: september(conc=n + 1, id=str(n), metrics={f"m{i}": i for i in range(more)})
body = ("[" + ",".join(json.dumps(row(n), separators=(",", ":")) for n in range(rows)) + "]").encode()
at = dt.datetime(2026, 10, 20, 23)
where = {"source": "inferencex", "resource": "benchmarks", "scope": SCOPE, "captured_at": at, "outcome": "fetched"}
latest = new_capture(**where, url=SCOPE, sha256=lake.put(body), bytes=len(body), meta={"role": "latest", "available": 3})
note = new_capture(**where, url="note", sha256=lake.put(b"{}"), bytes=2, set_id=latest.set_id, meta={"role": "note"})
lake.record(latest)
lake.record(note)
size = len(body)
del body
warehouse = Warehouse(lake)
started = time.process_time()
(snapshot,) = ingest(warehouse, INFERENCEX)
spent = time.process_time() - started
points = warehouse.count("history.operating_points")
peak = int(status_mb('VmHWM') * (1 << 20))
print(json.dumps({"outcome": snapshot.outcome, "points": points, "seconds": spent, "bytes": size, "peak": peak}))
"""


@pytest.mark.slow
def test_20000_rows_of_100_metrics_are_in_history_in_time_and_memory(tmp_path):
    command = [sys.executable, "-c", READ, str(tmp_path / "lake"), str(ROWS), str(METRICS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert (found["outcome"], found["points"]) == ("changed", ROWS)
    assert found["bytes"] > 20 << 20
    assert found["seconds"] < SECONDS, "CPU seconds to parse, validate and fold"
    assert found["peak"] < BYTES
