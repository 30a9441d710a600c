"""117 real days of the leaderboard: no day shouts, and a rebase day is one event."""

from collections import Counter

import pytest

from pipelines import changes, marts
from pipelines.ingest import ingest
from pipelines.lake import Lake, new_capture
from pipelines.settings import Settings
from pipelines.sources.artificial_analysis.importing import known_page
from pipelines.sources.registry import SOURCES
from pipelines.warehouse import Warehouse
from tests.helpers.aa_pages import PUBLIC, daily_pages
from tests.shared import SHARED, needs_shared

pytestmark = [needs_shared, pytest.mark.slow]

REBASES = {"06-16", "08-07", "08-08", "08-11"}


@pytest.fixture(scope="module")
def events(tmp_path_factory):
    """(day, kind, severity, field) of every event of the 117 days, derived day by day as a refresh does."""
    lake = Lake(tmp_path_factory.mktemp("lake"))
    lake.prepare()
    warehouse = Warehouse(lake)
    marts.prepare(warehouse)
    changes.prepare(warehouse, Settings(_env_file=None))
    page = known_page(f"{PUBLIC}/leaderboards/models")
    for number, (at, body) in enumerate(daily_pages(SHARED / "captures/aa_models_daily_2026-04-10_2026-08-22.csv.gz")):
        capture = new_capture(
            source="artificial_analysis",
            resource=page.resource,
            scope=page.scope,
            set_id=None,
            url=page.url,
            captured_at=at,
            outcome="fetched",
            sha256=lake.put(body),
            bytes=len(body),
        )
        lake.record(capture)
        if number % 13 == 12:
            ingest(warehouse, SOURCES["artificial_analysis"])
            changes.derive(warehouse)
    ingest(warehouse, SOURCES["artificial_analysis"])
    changes.derive(warehouse)
    rows = warehouse.rows("SELECT strftime(detected_at, '%m-%d') AS day, kind, severity, field FROM history.change_events")
    warehouse.close()
    return [tuple(r.values()) for r in rows]


def test_no_day_gives_more_than_one_headline_or_forty_notable_events(events):
    headlines = Counter(day for day, _, severity, _ in events if severity == "headline")
    notable = Counter(day for day, _, severity, _ in events if severity == "notable")
    assert max(headlines.values(), default=0) <= 1
    assert max(notable.values()) <= 40


def test_each_rebase_day_gives_one_event_and_no_other_day_does(events):
    assert Counter(day for day, kind, _, _ in events if kind == "index_rebase") == dict.fromkeys(REBASES, 1)


def test_single_index_moves_are_not_told_on_a_rebase_day(events):
    assert not [e for e in events if e[0] in REBASES and e[3] == "intelligence_index" and e[1] != "index_rebase"]
