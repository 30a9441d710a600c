"""117 real days of the leaderboard, taken into history in order, against transitions derived independently from the archive."""

import csv
import time
from collections import Counter

import pytest

from pipelines.ingest import ingest
from pipelines.lake import Lake, new_capture
from pipelines.sources.artificial_analysis.source import ArtificialAnalysis
from pipelines.warehouse import Warehouse
from tests.helpers.aa_pages import ADDRESSES, PUBLIC, daily_pages
from tests.shared import SHARED, needs_shared

ARCHIVE = SHARED / "captures/aa_models_daily_2026-04-10_2026-08-22.csv.gz"
EVENTS = SHARED / "captures/aa_history_events_2026-04-10_2026-08-22.csv"
LEADERBOARD = PUBLIC + ADDRESSES["leaderboard"]

# Consecutive versions of a model; a gap between them is a time it was not listed.
TRANSITIONS = """
WITH versions AS (
  SELECT *, lag(valid_to) OVER of_model AS former_end, lag(row(input_usd_mtok, output_usd_mtok, slug, intelligence_index)) OVER of_model AS former
  FROM history.models WINDOW of_model AS (PARTITION BY model_id ORDER BY valid_from)
)
SELECT strftime(valid_from, '%Y-%m-%d') AS day, slug, former_end IS NULL OR former_end < valid_from AS is_added,
       former[1] AS old_input, input_usd_mtok AS new_input, former[2] AS old_output, output_usd_mtok AS new_output,
       former[3] AS old_slug, former[4] AS old_index, intelligence_index AS new_index, model_id
FROM versions
"""


@pytest.fixture(scope="module")
def taken_in(tmp_path_factory):
    """The archive's days ingested: the warehouse, the snapshots made, and the seconds it took."""
    lake = Lake(tmp_path_factory.mktemp("lake"))
    lake.prepare()
    warehouse = Warehouse(lake)
    started = time.monotonic()
    for at, body in daily_pages(ARCHIVE):
        lake.record(
            new_capture(
                source="artificial_analysis",
                resource="leaderboard",
                scope=LEADERBOARD,
                url=LEADERBOARD,
                captured_at=at,
                outcome="fetched",
                sha256=lake.put(body),
                bytes=len(body),
            )
        )
    snapshots = ingest(warehouse, ArtificialAnalysis())
    yield warehouse, snapshots, time.monotonic() - started
    warehouse.close()


def _expected(event):
    with EVENTS.open(encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["event"] == event]


def _price(text):
    return float(text) if text else None


@needs_shared
@pytest.mark.slow
class TestTheArchivesDays:
    def test_every_day_is_taken_in_within_three_minutes(self, taken_in):
        _, snapshots, seconds = taken_in
        assert Counter(s.outcome for s in snapshots) == {"changed": 117}
        assert seconds < 180

    @pytest.mark.parametrize(("event", "old", "new", "count"), [("price_in_changed", 3, 4, 362), ("price_out_changed", 5, 6, 304)])
    def test_price_changes_by_model_are_those_of_the_truth_table(self, taken_in, event, old, new, count):
        warehouse, _, _ = taken_in
        rows = warehouse.con.execute(TRANSITIONS).fetchall()
        found = Counter((r[0], r[1], r[old], r[new]) for r in rows if not r[2] and r[old] != r[new])
        assert found == Counter((e["date"], e["slug"], _price(e["old"]), _price(e["new"])) for e in _expected(event))
        assert found.total() == count

    def test_models_are_added_removed_and_renamed_as_in_the_truth_table(self, taken_in):
        warehouse, snapshots, _ = taken_in
        rows = warehouse.con.execute(TRANSITIONS).fetchall()
        first_day = min(s.held_at for s in snapshots).strftime("%Y-%m-%d")
        added = Counter((r[0], r[1]) for r in rows if r[2] and r[0] != first_day)
        assert added == Counter((e["date"], e["slug"]) for e in _expected("model_added"))
        assert added.total() == 183
        gone = warehouse.con.execute(
            "SELECT strftime(v.valid_to, '%Y-%m-%d'), slug FROM history.models v WHERE valid_to IS NOT NULL "
            "AND NOT EXISTS (SELECT 1 FROM history.models n WHERE n.model_id = v.model_id AND n.valid_from = v.valid_to)"
        ).fetchall()
        assert Counter(gone) == Counter((e["date"], e["slug"]) for e in _expected("model_removed"))
        assert len(gone) == 12
        renamed = Counter((r[0], r[7], r[1]) for r in rows if not r[2] and r[7] != r[1])
        assert renamed == Counter((e["date"], e["old"], e["new"]) for e in _expected("slug_renamed"))
        assert renamed.total() == 10

    def test_the_days_on_which_over_five_percent_of_the_models_move_are_the_four_rebases(self, taken_in):
        warehouse, snapshots, _ = taken_in
        rows = warehouse.con.execute(TRANSITIONS).fetchall()
        moved = Counter(r[0] for r in rows if not r[2] and None not in (r[8], r[9]) and abs(r[9] - r[8]) > 0.05)
        listed = {s.held_at.strftime("%Y-%m-%d"): s.rows for s in snapshots}
        assert {day for day, n in moved.items() if n > 0.05 * listed[day]} == {"2026-06-16", "2026-08-07", "2026-08-08", "2026-08-11"}

    def test_a_blend_that_vanishes_for_every_model_warns_and_blocks_nothing(self, taken_in):
        _, snapshots, _ = taken_in
        (day,) = [s for s in snapshots if s.held_at.strftime("%Y-%m-%d") == "2026-05-03"]
        assert day.outcome == "changed"
        assert any("price1mBlended3To1" in warning for warning in day.warnings)
