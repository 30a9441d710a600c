"""The site's own history: series by run date, beside what was seen live."""

import datetime as dt

import pytest

from pipelines.ingest import derive_again
from pipelines.sources.base import NoData
from pipelines.sources.inferencex.source import INFERENCEX
from tests.unit.inferencex.by_hand import RUNS, bundle, capture, june
from tests.unit.inferencex.fake_site import Days, FakeSite


def of_run(run, date, *concurrencies, **change):
    return [june(conc=c, date=date, run_url=f"{RUNS}/{run}/attempts/1", **change) for c in concurrencies]


FIRST, SECOND, THIRD = of_run(1, "2025-10-06", 1, 2), of_run(2, "2025-12-14", 1, 2), of_run(3, "2026-05-20", 1, 2)


@pytest.fixture
def site():
    return FakeSite(*FIRST, *SECOND, *THIRD)


@pytest.fixture
def days(tmp_path, site):
    days = Days(tmp_path, site)
    yield days
    days.warehouse.close()


def runs_as_of(days, day):
    return days.as_of(day, "run_id, status, concurrency")


def test_before_the_backfill_only_the_latest_answer_is_known(days):
    days.run("2026-06-12")
    assert runs_as_of(days, "2025-11-01") == []
    assert runs_as_of(days, "2026-06-01") == [("3", "active", 1), ("3", "active", 2)]


def test_after_the_backfill_a_day_of_2025_answers(days):
    days.run("2026-06-12")
    days.backfill("2026-06-13")
    assert runs_as_of(days, "2025-10-05") == []
    assert runs_as_of(days, "2025-11-01") == [("1", "active", 1), ("1", "active", 2)]
    assert runs_as_of(days, "2026-01-01") == [("1", "superseded", 1), ("1", "superseded", 2), ("2", "active", 1), ("2", "active", 2)]
    assert [r for r in runs_as_of(days, "2026-06-14") if r[1] == "active"] == [("3", "active", 1), ("3", "active", 2)]


def test_a_superseded_point_of_the_past_names_the_day_of_its_successor(days):
    days.backfill("2026-06-13")
    assert {(r, str(on)) for r, s, on in days.now("run_id, status, superseded_on") if s == "superseded"} == {("1", "2025-12-14"), ("2", "2026-05-20")}


def test_the_backfill_leaves_what_was_seen_live_as_it_is(days):
    days.run("2026-06-12")
    sql = "SELECT * FROM history.operating_points WHERE run_id = '3' ORDER BY ALL"
    before = days.warehouse.rows(sql)
    days.backfill("2026-06-13")
    assert days.warehouse.rows(sql) == before


def test_days_after_a_backfill_leave_the_past_as_it_is(days, site):
    days.run("2026-06-12")
    days.backfill("2026-06-13")
    before = days.versions()
    days.run("2026-06-14")
    assert days.versions() == before
    assert not site.asked(exact="true") and not site.asked(path="benchmarks/history")


def test_a_workload_whose_history_is_there_is_not_fetched_again(days, site):
    days.backfill("2026-06-13")
    assert site.asked(path="benchmarks/history") == [("benchmarks/history", {"model": "Example-9", "isl": "8192", "osl": "1024"})]
    days.backfill("2026-06-20")
    assert not site.asked(path="benchmarks/history")


def test_a_backfill_that_broke_off_goes_on_where_it_was(days, site):
    site.rows += of_run(4, "2026-05-21", 7, isl=1024)
    site.stops_at = "history?isl=8192"
    days.backfill("2026-06-13")
    assert len(site.asked(path="benchmarks/history", isl="1024")) == 1
    site.stops_at = None
    days.backfill("2026-06-14")
    assert [q["isl"] for _, q in site.asked(path="benchmarks/history")] == ["8192"]
    assert runs_as_of(days, "2025-11-01") == [("1", "active", 1), ("1", "active", 2)]


def test_a_point_superseded_after_our_first_day_is_no_series(days, site):
    days.run("2026-06-12")
    site.rows += of_run(5, "2026-06-15", 1, 2) + of_run(6, "2026-06-16", 1, 2)
    days.run("2026-06-17")
    days.backfill("2026-06-18")
    rows = [r for r in days.now("run_id, status, superseded_on::VARCHAR, valid_from::DATE::VARCHAR") if r[0] in ("3", "5")]
    assert rows == [("3", "superseded", "2026-06-16", "2026-06-17")] * 2 + [("5", "superseded", "2026-06-16", "2026-06-18")] * 2


def test_a_point_of_the_past_that_comes_back_is_one_active_row(days, site):
    days.run("2026-06-12")
    days.backfill("2026-06-13")
    site.rows = [r for r in site.rows if r not in THIRD]
    days.run("2026-06-14")
    assert days.now("run_id, concurrency, status") == [
        *(("1", c, "superseded") for c in (1, 2)),
        *(("2", c, "active") for c in (1, 2)),
        *(("3", c, "retracted") for c in (1, 2)),
    ]
    before = days.versions()
    days.run("2026-06-15")
    assert days.versions() == before
    assert runs_as_of(days, "2026-01-01") == [("1", "superseded", 1), ("1", "superseded", 2), ("2", "active", 1), ("2", "active", 2)]


def test_a_history_without_rows_is_no_data():
    with pytest.raises(NoData):
        INFERENCEX.parse(bundle(capture([], "history", role="history"), capture({}, "history", role="note")))


def test_a_record_of_the_past_ends_where_its_successor_begins():
    rows = INFERENCEX.parse(bundle(capture([*FIRST, *SECOND], "history", role="history"), capture({"known": []}, "history", role="note"))).rows[
        "operating_points"
    ]
    first = [(r["status"], r["dated_from"], r.get("dated_to")) for r in rows if r["run_id"] == "1" and r["concurrency"] == 1]
    assert first == [("active", dt.datetime(2025, 10, 6), dt.datetime(2025, 12, 14)), ("superseded", dt.datetime(2025, 12, 14), None)]


def test_a_history_whose_bytes_were_lost_is_loaded_again(days):
    days.run("2026-06-12")
    days.backfill("2026-06-13")
    before = runs_as_of(days, "2026-01-01")
    (lost,) = {c.sha256 for c in days.warehouse.captures("resource = 'past_rows'", [])}
    days.warehouse.lake.give_up(lost, dt.datetime(2026, 6, 14))
    for scope in {c.scope for c in days.warehouse.captures("sha256 = ?", [lost])}:
        derive_again(days.warehouse, INFERENCEX, scope)
    assert runs_as_of(days, "2026-01-01") == []
    days.backfill("2026-06-15")
    assert runs_as_of(days, "2026-01-01") == before
