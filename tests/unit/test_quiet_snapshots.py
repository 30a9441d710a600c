"""Snapshots that say nothing new are noted together, once each, and raise no event."""

from pipelines.ingest import ingest
from pipelines.warehouse import Warehouse
from tests.helpers.fake_source import FakeSource, day, price, put


class Rowless(FakeSource):
    """A source whose page is read and holds no rows, as a description of an interface does."""

    def parse(self, bundle):
        parsed = super().parse(bundle)
        return type(parsed)({}, compared=False, may_be_empty=True)


def warehouse_after(lake, source, *days):
    """The warehouse that took the days in, one run each."""
    warehouse = Warehouse(lake, lake.root / f"{len(days)}.duckdb")
    for number, said in days:
        put(lake, day(number), said)
        ingest(warehouse, source)
    return warehouse


def noted(warehouse):
    return warehouse.rows("SELECT snapshot_id, captured_at, outcome FROM history.snapshots ORDER BY captured_at")


def test_a_late_capture_of_a_page_without_rows_is_noted_once_beside_the_others(lake):
    days = [(number, [price("b300", float(number))]) for number in (1, 2, 3, 10, 5)]
    warehouse = warehouse_after(lake, Rowless(), *days)
    assert [r["captured_at"] for r in noted(warehouse)] == [day(n) for n in (1, 2, 3, 5, 10)]
    again = Warehouse(lake, lake.root / "rebuilt.duckdb")
    ingest(again, Rowless())
    assert noted(again) == noted(warehouse)
    for each in (warehouse, again):
        each.close()


def due(warehouse):
    return [r["since"] for r in warehouse.rows("SELECT since FROM history.events_due ORDER BY since")]


def test_the_same_again_leaves_no_event_to_derive_and_a_failure_or_recovery_does(lake):
    source, same = FakeSource(), [price("b300", 3.0)]
    warehouse = warehouse_after(lake, source, (1, same))
    warehouse.con.execute("DELETE FROM history.events_due")
    for number, said, expected in ((2, same, []), (3, b"login", [day(3)]), (4, same, [day(4)]), (5, same, [])):
        put(lake, day(number), said)
        ingest(warehouse, source)
        assert due(warehouse) == expected
        warehouse.con.execute("DELETE FROM history.events_due")
    warehouse.close()


def test_a_set_completed_later_has_the_events_since_its_first_capture_derived_anew(lake):
    source = FakeSource()
    put(lake, day(1), [price("b300", 3.0)], set_id="a set", url="page1")
    warehouse = Warehouse(lake)
    ingest(warehouse, source)
    warehouse.con.execute("DELETE FROM history.events_due")
    put(lake, day(2), [price("h200", 2.0)], set_id="a set", url="page2")
    ingest(warehouse, source)
    assert due(warehouse)[0] == day(1)
    warehouse.close()
