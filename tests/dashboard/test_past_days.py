"""A past day on the page: what the published file's views of that day say, worked out once, for a few days at a time."""

import datetime as dt
import gc
import shutil
import weakref

import duckdb
import pytest

from dashboard import data, past
from tests.dashboard.as_of import by_the_views, on_the_page
from tests.helpers import told_lake as told

NIGHT = dt.datetime(2026, 10, 20, 23)
FIRST = NIGHT.date()
NIGHTS = 4


def deployed(number):
    """What the sources say on a night: two curves whose points, prices, listing and gates move from night to night."""
    points = [
        told.point(f"{system} {speed}", system, speed, total * (1 + number / 10), output_tok_s_gpu=total / 50, cache_hit_ratio=0.9, cache_hit_kind="server")
        for system, speed, total in (("B300", 50.0, 1000.0), ("B300", 150.0, 500.0), ("MI355X", 60.0, 800.0), ("MI355X", 120.0, 300.0))[: 2 + number]
    ]
    hours = [
        told.hour_price(system, basis, usd + number / 10)
        for system, basis, usd in (("B300", "owning", 2.26), ("B300", "rental", 4.0), ("MI355X", "owning", 1.5))
    ]
    throughput = {"metric": "throughput_tok_s_mw", "tokens_counted": "input_and_output", "model": "Muse Spark Open"}
    results = [told.result("r1", "4x B300", 1e6 + number, **throughput), told.result("r2", "4x MI355X", 7e5, **throughput)][: 1 + number]
    listed = told.listing("muse", "Muse Spark Open", input_usd_mtok=1.25 + number, output_usd_mtok=4.25, cached_input_usd_mtok=0.15, output_tok_s=142.9)
    return {
        "inferencex": {"operating_points": points, "prices": hours},
        "artificial_analysis": {"agentperf_results": results, "models": [listed]},
        "sglang": {"accuracy_gates": [told.gate("g1", "Muse Spark Open", threshold=0.9 + number / 100)]},
    }


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    """Four nights of two deployments that move each night, published at the speeds 70 and 100 tok/s per user; not to be written to."""
    lake = tmp_path_factory.mktemp("past") / "lake"
    for number in range(NIGHTS):
        for source, rows in deployed(number).items():
            told.tell(lake, source, NIGHT + dt.timedelta(days=number), rows)
    told.publish(lake, target_speeds="70,100")
    return lake


def days(*numbers):
    return [FIRST + dt.timedelta(days=n) for n in numbers]


def held(lake):
    """Names of the schemas that hold past days."""
    with data._connection(data.use(lake)).cursor() as cursor:
        found = cursor.execute("SELECT schema_name FROM duckdb_schemas() WHERE database_name = 'memory' AND starts_with(schema_name, 'past_day')").fetchall()
    return {name for (name,) in found}


def test_every_table_of_a_past_day_holds_what_the_files_view_of_that_day_says(lake):
    told_of = []
    for day in days(-1, 0, 3):
        found = on_the_page(lake, day)
        assert found == by_the_views(lake, day, "SET VARIABLE target_speeds = [70, 100]")
        told_of.append(found)
    before, first, last = told_of
    for table in ("operating_points", "prices", "rent_vs_own", "cost_at_interactivity", "token_split", "unit_costs", "headline_crosscheck"):
        assert before[table] == []
        assert [] != first[table] != last[table] != []
    assert first["system_gap"] == [] != last["system_gap"]


def test_a_mart_too_large_to_be_kept_answers_the_same(lake, monkeypatch):
    data.use(lake)
    marts = ("system_gap", "rent_vs_own", "cost_at_interactivity", "unmatched_names", "source_health")
    kept = [data.rows(f"FROM {mart} ORDER BY ALL", as_of=FIRST) for mart in marts]
    monkeypatch.setattr(past, "KEPT_ROWS", -1)
    data._past_day.clear()
    data._rows.clear()
    assert [data.rows(f"FROM {mart} ORDER BY ALL", as_of=FIRST) for mart in marts] == kept
    with data._connection(data.in_use()).cursor() as cursor:
        views = {name for (name,) in cursor.execute("SELECT view_name FROM duckdb_views() WHERE starts_with(schema_name, 'past_day')").fetchall()}
    assert views >= set(marts)


def test_every_table_of_a_past_day_of_the_curated_figures_is_that_of_the_file(curated_lake):
    for day in (dt.date(2026, 6, 20), dt.date(2026, 10, 24)):
        assert on_the_page(curated_lake, day) == by_the_views(curated_lake, day)


def test_costs_of_a_past_day_are_told_at_the_speeds_of_the_setting_as_todays_are(lake):
    data.use(lake)
    speeds = "SELECT DISTINCT interactivity_tok_s AS speed FROM cost_at_interactivity ORDER BY 1"
    assert [r["speed"] for r in data.rows(speeds)] == [70, 100]
    assert [r["speed"] for r in data.rows(speeds, as_of=FIRST)] == [70, 100]


def test_without_costs_today_a_past_day_has_them_at_the_speeds_of_the_sql():
    con = duckdb.connect()
    con.execute("ATTACH ':memory:' AS tracker; CREATE SCHEMA tracker.as_of")
    con.execute("CREATE TABLE tracker.main.cost_at_interactivity (interactivity_tok_s DOUBLE, method VARCHAR)")
    con.execute("CREATE VIEW tracker.as_of.cost_at_interactivity AS SELECT unnest(coalesce(getvariable('target_speeds')::DOUBLE[], [20.0])) AS speed")
    day = past.PastDay(con, FIRST)
    day.turn(con, "FROM cost_at_interactivity")
    assert con.execute("FROM cost_at_interactivity").fetchall() == [(20.0,)]


def test_the_box_answers_for_a_past_day_from_tables_worked_out_for_it(lake):
    data.use(lake)
    for table in ("rent_vs_own", "prices", "snapshots"):
        answer = data.box(f"SELECT count(*) AS rows FROM {table}", FIRST)
        assert answer.rows == [[data.one(f"SELECT count(*) AS rows FROM {table}", as_of=FIRST)["rows"]]]
    assert data.box("SELECT count(*) FROM tracker.main.prices", FIRST).rows[0][0] > data.box("SELECT count(*) FROM prices", FIRST).rows[0][0] > 0


def test_a_table_is_worked_out_once_a_day(lake):
    con = data._connection(data.use(lake))
    day = past.PastDay(con, FIRST)
    told_to = []

    class Cursor:
        def execute(self, statement):
            told_to.append(statement)
            return cursor.execute(statement)

    with con.cursor() as cursor:
        day.turn(Cursor(), "FROM rent_vs_own JOIN prices ON true")
        made = [s.split('"')[1] for s in told_to if s.startswith(("CREATE TABLE", "CREATE VIEW"))]
        assert {"operating_points", "frontier_points", "rent_vs_own", "prices"} <= set(made)
        assert len(made) == len(set(made))
        told_to.clear()
        day.turn(Cursor(), "FROM rent_vs_own")
        assert [s for s in told_to if s.startswith(("CREATE TABLE", "CREATE VIEW"))] == []


def test_only_the_days_asked_for_last_are_held(lake):
    for day in days(*range(NIGHTS)):
        assert data.rows("SELECT low FROM prices WHERE item = 'MI355X'", as_of=day)[0]["low"] == pytest.approx(1.5 + (day - FIRST).days / 10)
    gc.collect()
    assert len(held(lake)) == data.PAST_DAYS


def test_a_question_keeps_its_day_while_it_runs(lake):
    file = data.use(lake)
    sql = "SELECT low FROM prices WHERE item = 'MI355X'"
    with data._asking(file, sql, FIRST) as cursor:
        data._past_day.clear()
        gc.collect()
        assert cursor.execute(sql).fetchall() == [(1.5,)]
        assert len(held(lake)) == 1
    gc.collect()
    assert held(lake) == set()


def test_days_of_a_file_published_before_are_let_go(lake, tmp_path):
    def publish_again():
        shutil.copy(lake / "published" / "tracker.duckdb", tmp_path / "next")
        (tmp_path / "next").replace(tmp_path / "published" / "tracker.duckdb")
        return data.use(tmp_path)

    (tmp_path / "published").mkdir()
    file = publish_again()
    data.rows("FROM prices", as_of=FIRST)
    former = weakref.ref(data._past_day(file, FIRST, data._connection(file)))
    assert former() is not None
    publish_again()
    gc.collect()
    assert former() is None
    assert data.rows("FROM prices", as_of=FIRST)
