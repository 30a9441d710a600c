"""Fifty readers of one server while a refresh publishes; tests/bench/many_sessions.py has it publish ten times."""

import asyncio
import datetime as dt
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.dashboard import crowd
from tests.helpers import told_lake as told
from tests.helpers.page_server import serving

NIGHT = dt.datetime(2026, 10, 20, 23)
VIEWS = ("", "leaderboard", "history")


def value(number):
    return 60_000.0 + 1_000 * number


def publish(lake, number):
    """One more night, on which the figure that every view shows is another."""
    at = NIGHT + dt.timedelta(days=number)
    told.tell(lake, "artificial_analysis", at, {"agentperf_results": [told.result("r1", "GB300", value(number), configured_by="NVIDIA")]})
    told.publish(lake)


async def read_through(address, process, lake, readers, nights):
    """Readers who read while each night is published and once more after it; the memory of the server at first and after each night, in MB."""
    sessions = await crowd.opened(address, [VIEWS[n % len(VIEWS)] for n in range(readers)])
    memory = [crowd.resident_mb(process)]
    for number in range(2, 2 + nights):
        published = asyncio.create_task(asyncio.to_thread(publish, lake, number))
        await crowd.read_all(sessions)
        await published
        await crowd.read_all(sessions)
        shown = f"{value(number):,.0f}"
        assert [s for s in sessions if shown not in s.text] == []
        memory.append(crowd.resident_mb(process))
    held = crowd.files_held(process, "tracker.duckdb")
    assert [s.errors for s in sessions if s.errors] == []
    assert held <= 2
    for session in sessions:
        await session.close()
    return memory


@pytest.mark.slow
def test_fifty_sessions_read_on_while_a_night_is_published_and_none_shows_what_was(tmp_path):
    lake = tmp_path / "lake"
    publish(lake, 1)
    with serving(lake) as (address, process), ThreadPoolExecutor(1) as apart:  # a browser's test may have left a loop running in this thread
        memory = apart.submit(asyncio.run, read_through(address, process, lake, readers=50, nights=1)).result()
    assert memory[-1] < 500
    assert memory[-1] - memory[0] < 80
