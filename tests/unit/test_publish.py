"""The published file: one read-only file, whole or not there, that answers for any day and that older clients can open."""

import datetime as dt

import duckdb
import pytest

from pipelines import marts, reader
from pipelines.lake import Lake
from pipelines.refresh import RefreshOptions, opened
from pipelines.settings import load_settings
from tests.helpers.fake_source import FakeSource, day, price, put

CHEAPEST = "-- The cheapest price.\n-- Unit of a row: the whole market.\n-- Reads: prices.\nSELECT min(low) AS low, count(*) AS offers FROM prices"
HALF = "-- Half of it.\n-- Unit of a row: the whole market.\n-- Reads: cheapest.\nSELECT low / 2 AS half FROM cheapest"


@pytest.fixture
def lake(tmp_path, monkeypatch):
    """A live lake with one source, and no `.env` beside it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("pipelines.refresh.SOURCES", {"inferencex": FakeSource()})
    monkeypatch.setenv("MEGAWATCH_LAKE", str(tmp_path / "o'lake"))
    lake = Lake(tmp_path / "o'lake")
    lake.prepare()
    lake.admit("live")
    return lake


@pytest.fixture
def sql(monkeypatch):
    """Replaces the marts by the given ones; `change` gives history tables another text."""
    history = {f.name: f for f in marts.sql_files() if f.is_history}

    def use(change=None, **texts):
        changed = {n: marts.SqlFile(n, t, True, history[n].day_filter) for n, t in (change or {}).items()}
        files = (*(history | changed).values(), *(marts.SqlFile(name, text, False, "") for name, text in texts.items()))
        needs = {f.name: marts.reads(f.text) & {other.name for other in files} for f in files}
        monkeypatch.setattr(marts, "sql_files", lambda: files)
        monkeypatch.setattr(marts, "dependencies", lambda: needs)

    use(cheapest=CHEAPEST, half=HALF)
    return use


def refresh():
    """Take in what the lake holds, build every table, publish; what failed, by table."""
    with opened(load_settings(), RefreshOptions()) as run:
        run.build_all()
    return run.failed_tables


def ask(lake, query, as_of=None):
    with reader.opened(lake.root, as_of) as con:
        return [tuple(r.values()) for r in reader.records(con, query)]


def two_days(lake):
    put(lake, day(1), [price("b300", 3.0), price("h200", 2.0)])
    put(lake, day(3), [price("b300", 4.25)])


def test_the_file_holds_every_version_and_marts_as_of_now(lake, sql):
    two_days(lake)
    assert refresh() == {}
    versions = [("b300", 3.0, day(1), day(3)), ("b300", 4.25, day(3), None), ("h200", 2.0, day(1), day(3))]
    assert ask(lake, "select item, low, valid_from, valid_to from prices order by item, valid_from") == versions
    assert ask(lake, "from cheapest") == [(4.25, 1)]
    assert ask(lake, "from half") == [(2.125,)]


@pytest.mark.parametrize(
    ("number", "cheapest"), [(1, (2.0, 2)), (2, (2.0, 2)), (3, (4.25, 1)), (28, (4.25, 1))], ids=["its own day", "the day after", "the change", "long after"]
)
def test_as_of_a_day_history_and_marts_answer_as_they_stood_at_its_end(lake, sql, number, cheapest):
    two_days(lake)
    refresh()
    assert ask(lake, "from cheapest", day(number).date()) == [cheapest]
    assert ask(lake, "from half", day(number).date()) == [(cheapest[0] / 2,)]
    assert ask(lake, "select count(*) from prices", day(number).date()) == [(cheapest[1],)]


def test_as_of_a_day_before_everything_there_is_nothing(lake, sql):
    two_days(lake)
    refresh()
    assert ask(lake, "from prices", dt.date(2025, 12, 31)) == []
    assert ask(lake, "from cheapest", dt.date(2025, 12, 31)) == [(None, 0)]
    assert ask(lake, "from snapshots", dt.date(2025, 12, 31)) == []


def test_the_day_can_be_set_on_a_file_that_is_opened_read_only_by_any_client(lake, sql):
    two_days(lake)
    refresh()
    with duckdb.connect(str(lake.published / "tracker.duckdb"), read_only=True) as con:
        con.execute("SET VARIABLE as_of = DATE '2026-01-02'")
        assert con.execute("SELECT low FROM as_of.cheapest").fetchall() == [(2.0,)]
        con.execute("RESET VARIABLE as_of")
        assert con.execute("SELECT low FROM as_of.cheapest").fetchall() == [(4.25,)]


def test_a_moment_of_a_day_can_be_asked_for_too(lake, sql):
    put(lake, dt.datetime(2026, 1, 1, 8), [price("b300", 3.0)])
    put(lake, dt.datetime(2026, 1, 1, 20), [price("b300", 4.25)])
    refresh()
    with duckdb.connect(str(lake.published / "tracker.duckdb"), read_only=True) as con:
        for moment, low in (("2026-01-01 07:59:59", []), ("2026-01-01 08:00:00", [(3.0,)]), ("2026-01-01 20:00:00", [(4.25,)])):
            con.execute(f"SET VARIABLE as_of = TIMESTAMP '{moment}'")
            assert con.execute("SELECT low FROM as_of.prices").fetchall() == low


def test_a_mart_that_fails_keeps_its_former_table_is_marked_and_holds_up_no_other(lake, sql):
    put(lake, day(1), [price("b300", 3.0)])
    refresh()
    put(lake, day(2), [price("b300", 4.25)])
    sql(cheapest=CHEAPEST.replace("min(low)", "min(no_such_column)"), half=HALF, offers=CHEAPEST.replace("min(low)", "max(low)"))
    failed = refresh()
    assert list(failed) == ["cheapest"]
    assert ask(lake, "from cheapest") == [(3.0, 1)]
    assert ask(lake, "from offers") == [(4.25, 1)]
    status = {name: (stale, rows) for name, stale, rows in ask(lake, "select table_name, is_stale, rows from table_status")}
    assert status["cheapest"] == (True, 1)
    assert status["offers"] == (False, 1)
    assert "no_such_column" in ask(lake, "select message from table_status where is_stale")[0][0]


def test_what_rests_on_a_stale_table_is_stale_too_and_says_of_which(lake, sql):
    put(lake, day(1), [price("b300", 3.0)])
    refresh()
    sql(cheapest=CHEAPEST.replace("min(low)", "min(no_such_column)"), half=HALF)
    refresh()
    assert ask(lake, "select table_name, is_stale from table_status where table_name = 'half'") == [("half", True)]
    assert "cheapest" in ask(lake, "select message from table_status where table_name = 'half'")[0][0]


def test_a_mart_that_recovers_is_no_longer_stale(lake, sql):
    put(lake, day(1), [price("b300", 3.0)])
    sql(cheapest="-- broken\nSELECT nonsense", half=HALF)
    refresh()
    sql(cheapest=CHEAPEST, half=HALF)
    assert refresh() == {}
    assert ask(lake, "from half") == [(1.5,)]
    assert ask(lake, "select count(*) from table_status where is_stale") == [(0,)]


def test_a_mart_that_never_worked_is_absent_and_told(lake, sql):
    put(lake, day(1), [price("b300", 3.0)])
    sql(cheapest="-- broken\nSELECT nonsense FROM prices")
    refresh()
    with pytest.raises(reader.QueryError, match="cheapest"):
        ask(lake, "from cheapest")
    assert ask(lake, "select is_stale, rows from table_status where table_name = 'cheapest'") == [(True, None)]


def test_a_history_table_that_fails_holds_up_no_other_even_in_a_new_warehouse(lake, sql):
    put(lake, day(1), [price("b300", 3.0)])
    sql(change={"caveats": "-- broken\nSELECT nonsense FROM history.caveats"}, cheapest=CHEAPEST)
    assert list(refresh()) == ["caveats"]
    assert ask(lake, "from cheapest") == [(3.0, 1)]
    ((message,),) = ask(lake, "select message from table_status where is_stale")
    assert "nonsense" in message


def test_a_table_no_file_makes_any_more_is_not_published(lake, sql):
    put(lake, day(1), [price("b300", 3.0)])
    refresh()
    sql(cheapest=CHEAPEST)
    refresh()
    assert ask(lake, "select count(*) from table_status where table_name = 'half'") == [(0,)]
    with pytest.raises(reader.QueryError, match="half"):
        ask(lake, "from half")


def test_the_file_is_written_for_clients_of_duckdb_1_4(lake, sql):
    put(lake, day(1), [price("b300", 3.0)])
    refresh()
    con = duckdb.connect()
    con.execute(f"ATTACH '{str(lake.published / 'tracker.duckdb').replace(chr(39), chr(39) * 2)}' AS t (READ_ONLY)")
    (tags,) = con.execute("SELECT tags FROM duckdb_databases() WHERE database_name = 't'").fetchone()
    assert tags["storage_version"].startswith("v1.4.0")


def test_readers_keep_what_they_opened_while_a_new_file_is_swapped_in(lake, sql):
    put(lake, day(1), [price("b300", 3.0)])
    refresh()
    with reader.opened(lake.root) as con:
        put(lake, day(2), [price("b300", 4.25)])
        refresh()
        assert reader.ask(con, "select low from cheapest")[1] == [(3.0,)]
    assert ask(lake, "select low from cheapest") == [(4.25,)]


def test_a_file_that_cannot_be_written_leaves_the_former_one_and_nothing_beside_it(lake, sql, monkeypatch):
    put(lake, day(1), [price("b300", 3.0)])
    refresh()
    put(lake, day(2), [price("b300", 4.25)])
    monkeypatch.setattr("pipelines.publish.check", lambda _draft: (_ for _ in ()).throw(duckdb.IOException("no space")))
    with pytest.raises(duckdb.Error, match="no space"):
        refresh()
    monkeypatch.undo()
    assert ask(lake, "select low from prices where valid_to is null") == [(3.0,)]
    assert not list(lake.published.glob(".*"))


def test_a_draft_a_killed_run_left_is_cleared_away(lake, sql):
    (lake.published / ".publishing-12345.duckdb").write_bytes(b"half")
    (lake.published / ".publishing-12345.duckdb.wal").write_bytes(b"half")
    put(lake, day(1), [price("b300", 3.0)])
    refresh()
    assert not list(lake.published.glob(".*"))


def test_tables_and_columns_carry_their_meaning_with_units(lake, sql):
    put(lake, day(1), [price("b300", 3.0)])
    refresh()
    comments = dict(ask(lake, "select column_name, comment from duckdb_columns() where table_name = 'prices' and schema_name = 'main'"))
    assert comments["item"] == "What is priced: an accelerator or a model"
    assert comments["valid_to"].endswith("[UTC]")
    assert [name for name, comment in comments.items() if not comment] == []


def test_the_file_says_what_it_is(lake, sql):
    put(lake, day(2), [price("b300", 3.0)])
    refresh()
    assert ask(lake, "select lake_kind, data_to from about") == [("live", day(2))]
    assert ask(lake, "select contract_version from about")[0][0]


def test_a_reader_can_reach_nothing_but_the_file(lake, sql, tmp_path):
    put(lake, day(1), [price("b300", 3.0)])
    refresh()
    (tmp_path / "secret.csv").write_text("a\n1\n")
    for query in (
        f"from '{tmp_path}/secret.csv'",
        f"copy prices to '{tmp_path}/out.csv'",
        "set enable_external_access = true",
        "delete from tracker.main.prices",
    ):
        with pytest.raises(reader.QueryError):
            ask(lake, query)
    assert not (tmp_path / "out.csv").exists()


def test_a_table_whose_inputs_stand_is_not_built_again_and_one_of_changed_inputs_is(lake, sql, monkeypatch):
    built = []
    create = marts._create_table
    monkeypatch.setattr(marts, "_create_table", lambda con, mart: (built.append(mart.name), create(con, mart)))
    for number, low in ((1, 3.0), (2, 3.0), (3, 4.25)):
        put(lake, day(number), [price("b300", low)])
        refresh()
        built.append("|")
    assert built == ["cheapest", "half", "|", "|", "cheapest", "half", "|"]
    assert ask(lake, "from half") == [(2.125,)]


def test_a_table_whose_sql_is_another_is_built_anew_with_all_that_rest_on_it(lake, sql):
    put(lake, day(1), [price("b300", 3.0)])
    refresh()
    sql(cheapest=CHEAPEST.replace("min(low)", "min(low) * 2"), half=HALF)
    refresh()
    assert ask(lake, "from cheapest") == [(6.0, 1)]
    assert ask(lake, "from half") == [(3.0,)]


def test_a_table_that_failed_is_tried_again_although_nothing_changed(lake, sql):
    put(lake, day(1), [price("b300", 3.0)])
    refresh()
    with opened(load_settings(), RefreshOptions()) as run:
        marts.mark_stale(run.warehouse, "cheapest", "the disk was full")
    refresh()
    assert ask(lake, "select is_stale from table_status where table_name = 'cheapest'") == [(False,)]
