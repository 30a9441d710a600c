"""From captures to version rows: one mechanism for every source."""

import random

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.ingest import derive_again, ingest
from pipelines.lake import Lake
from pipelines.sources.base import Parsed
from pipelines.validate import content, rows_are_sound
from pipelines.warehouse import Warehouse
from tests.helpers.fake_source import FakeSource, day, point, price, put, versions


def outcomes(warehouse):
    return [r["outcome"] for r in warehouse.rows("SELECT outcome FROM history.snapshots ORDER BY captured_at")]


def everything(warehouse):
    tables = ("prices", "snapshots")
    return {t: sorted(map(str, warehouse.rows(f"SELECT * FROM history.{t}"))) for t in tables}


def test_the_first_snapshot_opens_a_version_of_every_row(lake, warehouse):
    put(lake, day(1), [price("b300", 3.0), price("h200", 2.0)])
    ingest(warehouse, FakeSource())
    assert versions(warehouse) == [("b300", 3.0, day(1), None), ("h200", 2.0, day(1), None)]
    assert versions(warehouse, "changed_after, date_source") == [(None, "capture")] * 2


def test_a_changed_value_closes_the_version_and_opens_the_next(lake, warehouse):
    source = FakeSource()
    put(lake, day(1), [price("b300", 3.0)])
    ingest(warehouse, source)
    put(lake, day(2), [price("b300", 3.0)])
    ingest(warehouse, source)
    put(lake, day(3), [price("b300", 4.25)])
    ingest(warehouse, source)
    assert versions(warehouse) == [("b300", 3.0, day(1), day(3)), ("b300", 4.25, day(3), None)]
    assert outcomes(warehouse) == ["changed", "unchanged", "changed"]
    assert versions(warehouse, "changed_after")[1] == (day(2),)


def test_a_column_that_opens_no_version_keeps_what_stood_when_the_version_opened(lake, warehouse):
    put(lake, day(1), [price("b300", 3.0, vendor="NVIDIA")])
    put(lake, day(2), [price("b300", 3.0, vendor="Nvidia Corp")])
    ingest(warehouse, FakeSource())
    assert versions(warehouse, "vendor, valid_to") == [("NVIDIA", None)]
    assert outcomes(warehouse) == ["changed", "changed"]


def test_a_row_missing_from_a_complete_snapshot_is_closed_and_may_come_back(lake, warehouse):
    put(lake, day(1), [price("b300", 3.0), price("h200", 2.0)])
    put(lake, day(2), [price("b300", 3.0)])
    put(lake, day(3), [price("b300", 3.0), price("h200", 2.0)])
    ingest(warehouse, FakeSource())
    assert versions(warehouse)[1:] == [("h200", 2.0, day(1), day(2)), ("h200", 2.0, day(3), None)]


@pytest.mark.parametrize("said", [b"login", "nothing", {"boom": 1}, b"\xff{", [], [price("b300", "three")], [price("b300", 3.0), price("b300", 4.0)]])
def test_a_bad_snapshot_leaves_the_last_good_rows_and_is_reported(lake, warehouse, said):
    put(lake, day(1), [price("b300", 3.0)])
    put(lake, day(2), said)
    ingest(warehouse, FakeSource())
    assert versions(warehouse) == [("b300", 3.0, day(1), None)]
    (bad,) = warehouse.rows("SELECT outcome, message FROM history.snapshots WHERE captured_at = ?", [day(2)])
    assert bad["outcome"] == ("no_data" if said == "nothing" else "invalid")
    assert len(bad["message"]) > 10


@pytest.mark.parametrize("outcome", ["unreachable", "disallowed", "moved", "rate_limited"])
def test_a_failed_fetch_ages_the_scope_and_ends_nothing(lake, warehouse, outcome):
    put(lake, day(1), [price("b300", 3.0)])
    put(lake, day(2), b"", outcome=outcome, message="why")
    ingest(warehouse, FakeSource())
    assert versions(warehouse) == [("b300", 3.0, day(1), None)]
    assert outcomes(warehouse) == ["changed", outcome]


def test_a_304_counts_as_seen_again(lake, warehouse):
    source = FakeSource()
    put(lake, day(1), [price("b300", 3.0)])
    put(lake, day(2), [price("b300", 3.0)], outcome="not_modified")
    put(lake, day(3), [price("b300", 4.0)])
    ingest(warehouse, source)
    assert outcomes(warehouse) == ["changed", "not_modified", "changed"]
    assert versions(warehouse, "changed_after")[1] == (day(2),)


def test_a_304_on_a_page_that_was_bad_is_still_bad(lake, warehouse):
    source = FakeSource()
    put(lake, day(1), "nothing")
    ingest(warehouse, source)
    put(lake, day(2), "nothing", outcome="not_modified")
    ingest(warehouse, source)
    assert outcomes(warehouse) == ["no_data", "no_data"]


@pytest.mark.parametrize("stepwise", [True, False])
def test_a_304_that_leads_back_to_good_bytes_after_bad_ones_is_good(lake, warehouse, stepwise):
    source = FakeSource()
    for number, said, outcome in ((1, [price("b300", 3.0)], "fetched"), (2, "nothing", "fetched"), (3, [price("b300", 3.0)], "not_modified")):
        put(lake, day(number), said, outcome=outcome)
        if stepwise:
            ingest(warehouse, source)
    ingest(warehouse, source)
    assert outcomes(warehouse) == ["changed", "no_data", "unchanged"]


def test_a_set_that_gains_a_page_after_it_was_read_is_read_again(lake, warehouse):
    source = FakeSource()
    put(lake, day(1), [price("b300", 3.0)], url="page1", set_id="s")
    ingest(warehouse, source)
    put(lake, day(1), [price("h200", 2.0)], url="page2", set_id="s")
    assert [(s.snapshot_id, s.outcome, s.rows) for s in ingest(warehouse, source)] == [("s", "changed", 2)]
    assert ingest(warehouse, source) == []
    assert [v[0] for v in versions(warehouse)] == ["b300", "h200"]
    assert outcomes(warehouse) == ["changed"]


@pytest.mark.parametrize("stepwise", [True, False])
def test_pages_that_changed_while_their_set_was_incomplete_are_read_when_all_answer_304(lake, warehouse, stepwise):
    source = FakeSource()
    put(lake, day(1), [price("b300", 3.0)], url="page1", set_id="one")
    put(lake, day(1), [price("h200", 2.0)], url="page2", set_id="one")
    put(lake, day(2), [price("b300", 4.0)], url="page1", set_id="two")
    put(lake, day(2), "wait", url="page2", set_id="two")
    if stepwise:
        ingest(warehouse, source)
    put(lake, day(3), [price("b300", 4.0)], outcome="not_modified", url="page1", set_id="three")
    put(lake, day(3), [price("h200", 2.0)], outcome="not_modified", url="page2", set_id="three")
    ingest(warehouse, source)
    assert [v[:2] for v in versions(warehouse) if v[3] is None] == [("b300", 4.0), ("h200", 2.0)]


def test_an_incomplete_set_is_no_snapshot_until_its_last_page_is_there(lake, warehouse):
    source = FakeSource()
    put(lake, day(1), [price("b300", 3.0)], set_id="s", url="page1")
    put(lake, day(1), "wait", set_id="s", url="page2")
    ingest(warehouse, source)
    assert (versions(warehouse), outcomes(warehouse)) == ([], [])
    put(lake, day(2), [price("h200", 2.0)], set_id="s", url="page2")
    ingest(warehouse, source)
    assert [v[0] for v in versions(warehouse)] == ["b300", "h200"]


def test_a_set_that_is_never_completed_does_not_have_its_scope_derived_again(lake, warehouse, monkeypatch):
    source = FakeSource()
    put(lake, day(1), "wait")
    put(lake, day(2), [price("b300", 3.0)])
    ingest(warehouse, source)
    monkeypatch.setattr("pipelines.history.clear", lambda *_: pytest.fail("the scope was derived anew"))
    put(lake, day(3), [price("b300", 4.0)])
    assert [s.outcome for s in ingest(warehouse, source)] == ["changed"]
    assert outcomes(warehouse) == ["changed", "changed"]


def test_a_late_capture_reports_itself_and_not_what_its_scope_went_through_before(lake, warehouse):
    source = FakeSource()
    put(lake, day(2), [price("b300", 3.0)])
    put(lake, day(3), b"", outcome="unreachable", message="no answer")
    put(lake, day(4), [price("b300", 5.0)])
    ingest(warehouse, source)
    late = put(lake, day(1), [price("b300", 2.0)])
    assert [(s.snapshot_id, s.outcome) for s in ingest(warehouse, source)] == [(late.set_id, "changed")]
    assert [v[1] for v in versions(warehouse)] == [2.0, 3.0, 5.0]


def test_a_snapshot_that_covers_some_parts_closes_rows_of_those_alone(lake, warehouse):
    put(lake, day(1), [price("b300", 3.0, part="a"), price("h200", 2.0, part="b")], meta={"covers": ["a", "b"]})
    put(lake, day(2), [], meta={"covers": ["b"]})
    ingest(warehouse, FakeSource(may_be_empty=True))
    assert versions(warehouse) == [("b300", 3.0, day(1), None), ("h200", 2.0, day(1), day(2))]


def test_a_row_that_turns_up_in_another_part_has_moved_and_goes_on(lake, warehouse):
    put(lake, day(1), [price("b300", 3.0, part="old")], meta={"covers": ["old"]})
    put(lake, day(2), [price("b300", 3.0, part="new")], meta={"covers": ["old", "new"]})
    put(lake, day(3), [], meta={"covers": ["old"]})
    ingest(warehouse, FakeSource(may_be_empty=True))
    assert versions(warehouse, "valid_from, valid_to, part") == [(day(1), None, "new")]


def test_a_retracting_source_keeps_the_row_as_retracted_until_it_returns(lake, warehouse):
    source = FakeSource("operating_points", vanished="retract")
    put(lake, day(1), [point("a", 100.0, notes="first run"), point("b", 200.0)])
    put(lake, day(2), [point("b", 200.0)])
    ingest(warehouse, source)
    put(lake, day(3), [point("b", 201.0)])
    ingest(warehouse, source)
    put(lake, day(4), [point("a", 100.0), point("b", 201.0)])
    ingest(warehouse, source)
    rows = warehouse.rows("SELECT status, total_tok_s_gpu, notes, valid_from, valid_to FROM history.operating_points WHERE point_id = 'a' ORDER BY valid_from")
    assert [tuple(r.values()) for r in rows] == [
        ("active", 100.0, "first run", day(1), day(2)),
        ("retracted", 100.0, "first run", day(2), day(4)),
        ("active", 100.0, None, day(4), None),
    ]


def test_a_snapshot_that_lost_rows_is_held_back_until_it_is_accepted(lake, warehouse):
    source = FakeSource(compared=True)
    full = [price(f"gpu{n}", 1.0 + n) for n in range(10)]
    put(lake, day(1), full)
    for n in (2, 3, 4):
        put(lake, day(n), full[:5])
    ingest(warehouse, source)
    assert outcomes(warehouse) == ["changed", "invalid", "invalid", "invalid"]
    (last,) = warehouse.rows("SELECT snapshot_id, message FROM history.snapshots WHERE captured_at = ?", [day(4)])
    assert f"megawatch accept {last['snapshot_id']}" in last["message"]
    lake.decide(last["snapshot_id"], "the survey dropped five", day(5))
    derive_again(warehouse, source, put(lake, day(6), full[:5]).scope)
    assert outcomes(warehouse) == ["changed", "invalid", "invalid", "changed", "unchanged"]
    assert sum(v[3] is None for v in versions(warehouse)) == 5


def test_a_decision_whose_run_ended_before_it_took_effect_is_carried_out_by_the_next_run(lake, warehouse):
    source = FakeSource(compared=True)
    full = [price(f"gpu{n}", 1.0 + n) for n in range(10)]
    put(lake, day(1), full)
    held_back = put(lake, day(2), full[:5])
    ingest(warehouse, source)
    lake.decide(held_back.set_id, "the survey dropped five", day(3))
    ingest(warehouse, source)
    assert outcomes(warehouse) == ["changed", "changed"]
    assert sum(v[3] is None for v in versions(warehouse)) == 5


def test_what_is_said_of_snapshots_held_back_is_the_same_whether_taken_day_by_day_or_at_once(tmp_path):
    full = [price(f"gpu{n}", 1.0 + n) for n in range(10)]
    told = []
    for stepwise in (True, False):
        lake = Lake(tmp_path / str(stepwise))
        lake.prepare()
        warehouse = Warehouse(lake)
        put(lake, day(1), full)
        for n in range(2, 8):
            put(lake, day(n), full[:5])
            if stepwise:
                ingest(warehouse, FakeSource(compared=True))
        ingest(warehouse, FakeSource(compared=True))
        told.append(everything(warehouse))
        assert [("megawatch accept" in (r["message"] or "")) for r in warehouse.rows("FROM history.snapshots ORDER BY captured_at")] == [False] * 3 + [True] * 4
        warehouse.close()
    assert told[0] == told[1]


def test_a_snapshot_whose_prices_are_mostly_gone_is_held_back_and_recovers_by_itself(lake, warehouse):
    source = FakeSource(compared=True)
    named = [price(f"gpu{n}", 1.0 + n) for n in range(10)]
    put(lake, day(1), named)
    put(lake, day(2), [{**r, "item": None} if n < 3 else r for n, r in enumerate(named)])
    put(lake, day(3), named)
    ingest(warehouse, source)
    assert outcomes(warehouse) == ["changed", "invalid", "unchanged"]


def test_a_gained_or_lost_source_field_is_a_warning(lake, warehouse):
    put(lake, day(1), [price("b300", 3.0, vendor="NVIDIA")])
    put(lake, day(2), [price("b300", 3.0, extra="{}")])
    ingest(warehouse, FakeSource(compared=True))
    (second,) = warehouse.rows("SELECT warnings FROM history.snapshots WHERE captured_at = ?", [day(2)])
    assert "gained: extra" in second["warnings"]
    assert "lost: vendor" in second["warnings"]


def test_another_parser_version_reads_the_same_bytes_again(lake, warehouse):
    put(lake, day(1), [price("b300", 3.0)])
    ingest(warehouse, FakeSource())
    newer = FakeSource()
    newer.parser_version = "2"
    newer.parse = lambda bundle: _doubled(FakeSource.parse(newer, bundle))
    ingest(warehouse, newer)
    assert versions(warehouse) == [("b300", 6.0, day(1), None)]


def _doubled(parsed):
    for row in parsed.rows["prices"]:
        row["low"] *= 2
    return parsed


STATES = st.lists(st.dictionaries(st.sampled_from("abcd"), st.sampled_from([1.0, 2.0, 3.0])), min_size=1, max_size=7)


@settings(max_examples=40, deadline=None)
@given(STATES, st.randoms(use_true_random=False))
def test_any_order_of_arrival_gives_the_same_tables(tmp_path_factory, states, chance):
    """Versions equal those computed by hand from the states in order, whatever order and grouping they arrive in."""
    arrivals = list(enumerate(states, start=1))
    results = []
    for shuffled in (False, True):
        if shuffled:
            chance.shuffle(arrivals)
        lake = Lake(tmp_path_factory.mktemp("lake"))
        lake.prepare()
        warehouse = Warehouse(lake)
        for number, state in arrivals:
            put(lake, day(number), [price(item, low) for item, low in state.items()])
            if random.Random(number).random() < 0.7:
                ingest(warehouse, FakeSource(may_be_empty=True))
        ingest(warehouse, FakeSource(may_be_empty=True))
        results.append(everything(warehouse))
        got = versions(warehouse)
        warehouse.close()
        assert got == expected(states)
    assert results[0] == results[1]


def expected(states):
    found = []
    for item in sorted({i for s in states for i in s}):
        current = None
        for number, state in enumerate(states, start=1):
            low = state.get(item)
            if current and low != current[1]:
                found.append((*current, day(number)))
                current = None
            if low is not None and current is None:
                current = (item, low, day(number))
        if current:
            found.append((*current, None))
    return found


class Counting(FakeSource):
    """Counts what it reads, and has a warning on everything."""

    read = 0

    def parse(self, bundle):
        self.read += 1
        parsed = super().parse(bundle)
        parsed.warnings.append("a warning")
        return parsed


def test_the_same_bytes_again_are_unchanged_without_being_read_and_keep_what_was_said_of_them(lake, warehouse):
    source = Counting()
    for number in (1, 2):
        put(lake, day(number), [price("b300", 3.0)])
        ingest(warehouse, source)
    assert source.read == 1
    assert outcomes(warehouse) == ["changed", "unchanged"]
    columns = "rows, content_sha256, profile, warnings, shape, unmatched_names"
    first, second = warehouse.rows(f"SELECT {columns} FROM history.snapshots ORDER BY captured_at")
    assert first == second
    assert first["rows"] == 1


def test_the_same_bytes_with_other_notes_are_read_again(lake, warehouse):
    source = Counting()
    put(lake, day(1), [price("b300", 3.0, part="a")], meta={"covers": ["a"]})
    put(lake, day(2), [price("b300", 3.0, part="a")], meta={"covers": ["a", "b"]})
    ingest(warehouse, source)
    assert source.read == 2


def test_how_the_site_answered_is_no_other_note(lake, warehouse):
    source = Counting()
    put(lake, day(1), [price("b300", 3.0)], meta={"headers": {"date": "1"}})
    put(lake, day(2), [price("b300", 3.0)], meta={"headers": {"date": "2"}})
    ingest(warehouse, source)
    assert source.read == 1


def test_bytes_that_could_not_be_used_are_read_again_when_they_come_again(lake, warehouse):
    source = Counting()
    put(lake, day(1), [price("b300", "three")])
    put(lake, day(2), [price("b300", "three")])
    ingest(warehouse, source)
    assert outcomes(warehouse) == ["invalid", "invalid"]
    assert source.read == 2


def test_fields_that_drifted_are_told_on_their_day_alone(lake, warehouse):
    source = FakeSource(compared=True)
    put(lake, day(1), [price("b300", 3.0)])
    for number in (2, 3):
        put(lake, day(number), [price("b300", 3.0, vendor="NVIDIA")])
        ingest(warehouse, source)
    told = [r["warnings"] for r in warehouse.rows("SELECT warnings FROM history.snapshots ORDER BY captured_at")]
    assert [w is not None and "source fields gained: vendor" in w for w in told] == [False, True, False]


def test_the_same_bytes_day_by_day_give_what_a_rebuild_gives(lake, warehouse, tmp_path):
    source = Counting()
    for number, low in enumerate((3.0, 3.0, 4.0, 3.0, 3.0), 1):
        put(lake, day(number), [price("b300", low)])
        ingest(warehouse, source)
    again = Warehouse(lake, tmp_path / "again.duckdb")
    ingest(again, Counting())
    assert everything(again) == everything(warehouse)
    again.close()


def due(warehouse):
    found = [r["since"] for r in warehouse.rows("SELECT since FROM history.events_due ORDER BY since")]
    warehouse.con.execute("DELETE FROM history.events_due")
    return found


def test_events_are_due_where_something_changed_failed_or_came_back_and_nowhere_else(lake, warehouse):
    source = FakeSource()
    steps = [
        (1, [price("b300", 3.0)], "fetched", [day(1)]),
        (2, [price("b300", 3.0)], "fetched", []),
        (3, None, "unreachable", [day(3)]),
        (4, [price("b300", 3.0)], "fetched", [day(4)]),
        (5, [price("b300", 3.0)], "fetched", []),
    ]
    for number, said, outcome, since in steps:
        put(lake, day(number), said or [], outcome=outcome)
        ingest(warehouse, source)
        assert due(warehouse) == since, number


def test_content_is_the_same_whatever_the_order_of_rows_and_keys_and_whether_what_is_missing_is_named():
    rows = [{"item": "a", "low": 1.0, "vendor": None}, {"low": 2.0, "item": "b"}]
    other = [{"item": "b", "low": 2.0, "high": None}, {"item": "a", "low": 1.0}]
    assert content(Parsed({"prices": rows})).sha256 == content(Parsed({"prices": other})).sha256


@pytest.mark.parametrize(
    "other",
    [
        Parsed({"prices": [{"item": "a", "low": 1.5}]}),
        Parsed({"prices": [{"item": "a", "high": 1.0}]}),
        Parsed({"prices": [{"item": "a", "low": "1.0"}]}),
        Parsed({"prices": [{"item": "a", "low": 1.0}] * 2}),
        Parsed({"prices": [{"item": "a", "low": 1.0}]}, covers=frozenset({"a"})),
        Parsed({"operating_points": [{"item": "a", "low": 1.0}]}),
        Parsed({"prices": [{"item": "a", "low": 1.0}], "operating_points": []}),
    ],
    ids=range(7),
)
def test_content_that_says_something_else_is_another(other):
    assert content(Parsed({"prices": [{"item": "a", "low": 1.0}]})).sha256 != content(other).sha256


def said(**columns):
    parsed = Parsed({"prices": [{**price("a", 1.0), **columns}]})
    return parsed, content(parsed)


def test_a_row_that_reads_as_a_sound_one_but_for_the_kind_of_a_value_is_looked_at_by_itself():
    assert rows_are_sound([said(low=1), said(low=1), said(low=1.0)])
    assert not rows_are_sound([said(low=1), said(low=True)])
    assert not rows_are_sound([said(low=True), said(low=1)])


def test_rows_of_snapshots_that_fill_other_columns_are_all_looked_at():
    assert not rows_are_sound([said(), said(dated_from="2026-10-01")])
    assert not rows_are_sound([said(dated_from="2026-10-01"), said()])


def test_what_is_made_once_stands_until_it_is_to_be_made_of_something_else(warehouse):
    due = []
    for made_of in ("a", "a", "b", "b", "a"):
        with warehouse.made_once("views", made_of) as is_due:
            due.append(is_due)
    assert due == [True, False, True, False, True]


def test_what_could_not_be_made_whole_is_made_in_the_next_run(warehouse):
    def make(statement):
        with warehouse.made_once("views", "a") as is_due:
            warehouse.con.execute("CREATE TABLE main.first (n INTEGER)")
            warehouse.con.execute(statement)
        return is_due

    with pytest.raises(duckdb.Error):
        make("CREATE VIEW main.second AS FROM nowhere")
    assert make("CREATE VIEW main.second AS FROM main.first")
