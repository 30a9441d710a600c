"""Rows that carry times of their own: published series, dates of runs, ends, and corrections of the past."""

import datetime as dt

import pytest

from pipelines.ingest import ingest
from tests.helpers.fake_source import FakeSource, day, point, price, put, versions


def test_a_published_row_starts_at_its_own_date_and_a_series_follows_on(lake, warehouse):
    series = [
        price("b300", 2.34, dated_from="2025-08-01", dated_to="2025-12-01", date_source="published"),
        price("b300", 2.26, dated_from="2025-12-01", date_source="published"),
    ]
    put(lake, day(1), series)
    ingest(warehouse, FakeSource())
    assert versions(warehouse) == [("b300", 2.34, dt.datetime(2025, 8, 1), dt.datetime(2025, 12, 1)), ("b300", 2.26, dt.datetime(2025, 12, 1), None)]
    series[1]["dated_to"] = "2026-01-05"
    put(lake, day(9), [*series, price("b300", 2.5, dated_from="2026-01-05", date_source="published")])
    ingest(warehouse, FakeSource())
    assert [v[1:] for v in versions(warehouse)][1:] == [
        (2.26, dt.datetime(2025, 12, 1), dt.datetime(2026, 1, 5)),
        (2.5, dt.datetime(2026, 1, 5), None),
    ]


@pytest.mark.parametrize("stepwise", [True, False])
def test_a_published_figure_corrected_after_its_period_is_corrected_for_that_period(lake, warehouse, stepwise):
    now = price("b300", 2.26, dated_from="2025-12-01", date_source="published")
    for number, figure in ((1, 2.34), (3, 2.43), (5, 2.44)):
        put(lake, day(number), [price("b300", figure, dated_from="2025-08-01", dated_to="2025-12-01", date_source="published"), now])
        if stepwise:
            ingest(warehouse, FakeSource())
    ingest(warehouse, FakeSource())
    assert versions(warehouse) == [("b300", 2.44, dt.datetime(2025, 8, 1), dt.datetime(2025, 12, 1)), ("b300", 2.26, dt.datetime(2025, 12, 1), None)]
    assert versions(warehouse, "recorded_at, date_source, live")[0] == (day(5), "published", True)


@pytest.mark.parametrize("stepwise", [True, False])
def test_a_retraction_stands_when_the_row_is_back_with_an_end_of_its_own(lake, warehouse, stepwise):
    source = FakeSource("operating_points", vanished="retract", may_be_empty=True)
    ended = point("a", 100.0, dated_from="2025-08-01", dated_to="2025-12-01", date_source="run_date")
    for number, rows in ((1, [ended, point("b", 50.0)]), (3, [point("b", 50.0)]), (5, [ended, point("b", 50.0)])):
        put(lake, day(number), rows)
        if stepwise:
            ingest(warehouse, source)
    ingest(warehouse, source)
    stands = warehouse.rows("SELECT status, valid_from, valid_to FROM history.operating_points WHERE point_id = 'a' AND status = 'retracted'")
    assert stands == [{"status": "retracted", "valid_from": day(3), "valid_to": day(5)}]


@pytest.mark.parametrize("stepwise", [True, False])
def test_a_published_row_that_was_taken_out_and_put_back_holds_again_from_then_on(lake, warehouse, stepwise):
    source = FakeSource(may_be_empty=True)
    row = price("b300", 2.34, dated_from="2025-08-01", date_source="published")
    for number, rows in ((1, [row]), (3, []), (5, [row]), (7, []), (9, [row])):
        put(lake, day(number), rows)
        if stepwise:
            ingest(warehouse, source)
    ingest(warehouse, source)
    assert versions(warehouse, "valid_from, valid_to") == [(dt.datetime(2025, 8, 1), day(3)), (day(5), day(7)), (day(9), None)]
    assert len({v[0] for v in versions(warehouse, "version_id")}) == 3


def test_a_run_date_counts_only_before_the_first_look(lake, warehouse):
    old = price("b300", 3.0, dated_from="2025-11-30", date_source="run_date")
    put(lake, day(1), [old])
    put(lake, day(5), [old, price("h200", 2.0, dated_from="2026-01-04", date_source="run_date")])
    ingest(warehouse, FakeSource())
    assert versions(warehouse, "item, valid_from, date_source") == [("b300", dt.datetime(2025, 11, 30), "run_date"), ("h200", day(5), "capture")]
