"""Fifty sessions on one server while a refresh publishes ten times: reruns, errors and the server's memory.

python -m tests.bench.many_sessions
"""

import asyncio
import json
import tempfile
import time
from pathlib import Path

from tests.dashboard.test_many_sessions import publish, read_through
from tests.helpers.page_server import serving

READERS, NIGHTS = 50, 10

if __name__ == "__main__":
    lake = Path(tempfile.mkdtemp(prefix="bench-")) / "lake"
    publish(lake, 1)
    with serving(lake) as (address, process):
        started = time.monotonic()
        memory = asyncio.run(read_through(address, process, lake, READERS, NIGHTS))
    runs = READERS * (1 + 2 * NIGHTS)
    print(
        json.dumps(
            {"sessions": READERS, "publishes": NIGHTS, "runs": runs, "seconds": round(time.monotonic() - started), "server_mb": [round(m) for m in memory]}
        )
    )
