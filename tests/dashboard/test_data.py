"""Questions to the published file: the newest file, one cursor a question, any day; and the SQL box with its limits."""

import datetime as dt
import resource
import threading
import time
from pathlib import Path

import pytest

from dashboard import box, data
from tests.helpers import told_lake as told

NIGHT = dt.datetime(2026, 10, 20, 23)


def _told(path):
    for n, usd in ((0, 2.26), (2, 2.50)):
        points = [told.point("slow", "B300", 50.0, 1000.0), told.point("fast", "B300", 150.0, 500.0)]
        told.tell(path, "inferencex", NIGHT + dt.timedelta(days=n), {"prices": [told.hour_price("B300", "owning", usd)], "operating_points": points})
    told.publish(path)
    return path


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """Prices of B300: 2.26 USD from 20 October on, 2.50 from the 22nd; and two measured points of it."""
    return _told(tmp_path_factory.mktemp("prices"))


@pytest.fixture
def lake(published):
    """The lake of these prices, in use; not to be written to."""
    data.use(published)
    return published


@pytest.fixture
def lake_of_its_own(tmp_path):
    """The same, for a test that publishes again."""
    data.use(_told(tmp_path))
    return tmp_path


def price(as_of=None):
    return data.one("SELECT low FROM prices", as_of=as_of).get("low")


def test_plain_names_answer_as_of_now_and_main_holds_every_version(lake):
    assert price() == 2.50
    assert [r["low"] for r in data.rows("SELECT low FROM tracker.main.prices ORDER BY valid_from")] == [2.26, 2.50]


def test_a_past_day_answers_as_things_stood_at_its_end(lake):
    assert price(dt.date(2026, 10, 19)) is None
    assert price(dt.date(2026, 10, 21)) == 2.26
    assert price(dt.date(2026, 10, 22)) == 2.50
    assert price() == 2.50


def test_marts_are_worked_out_for_a_past_day(lake):
    assert data.one("SELECT usd_gpu_h FROM gpu_hour_prices", as_of=dt.date(2026, 10, 21))["usd_gpu_h"] == 2.26
    assert data.one("SELECT usd_gpu_h FROM gpu_hour_prices")["usd_gpu_h"] == 2.50


def test_costs_are_worked_out_for_other_speeds_and_other_days(lake):
    """A line through 1,000 tok/s at 50 and 500 at 150: 750 at 100; 2.50 USD an hour is 0.9259 USD per M tokens, 2.26 USD is 0.8370; beyond 150 the end stands."""
    asked = {"basis": "owning", "cost_of": "total"}
    now = {r["interactivity_tok_s"]: r for r in data.costs_at([100.0, 200.0], "accelerator = ?", ["B300"], **asked)}
    assert (now[100.0]["total_tok_s_gpu"], now[100.0]["method"]) == (750, "interpolated")
    assert now[100.0]["usd_mtok"] == pytest.approx(0.92593, rel=1e-4)
    assert (now[200.0]["total_tok_s_gpu"], now[200.0]["method"]) == (500, "clamped")
    (then,) = data.costs_at([100.0], "accelerator = ?", ["B300"], **asked, as_of=dt.date(2026, 10, 21))
    assert then["usd_mtok"] == pytest.approx(0.83704, rel=1e-4)
    assert data.costs_at([100.0], "accelerator = ?", ["MI355X"], **asked) == []


def test_a_new_publish_is_seen_by_the_next_run_and_not_in_the_middle_of_one(lake_of_its_own):
    told.tell(lake_of_its_own, "inferencex", NIGHT + dt.timedelta(days=3), {"prices": [told.hour_price("B300", "owning", 3.00)]})
    told.publish(lake_of_its_own)
    assert price() == 2.50
    data.use(lake_of_its_own)
    assert price() == 3.00


def test_files_published_before_are_let_go(lake_of_its_own):
    def held():
        files = [str(fd.resolve()) for fd in Path("/proc/self/fd").iterdir()]
        return sum("tracker.duckdb" in f and str(lake_of_its_own) in f for f in files)

    for n in range(4):
        told.tell(lake_of_its_own, "inferencex", NIGHT + dt.timedelta(days=3 + n), {"prices": [told.hour_price("B300", "owning", 3.0 + n)]})
        told.publish(lake_of_its_own)
        data.use(lake_of_its_own)
        assert price() == 3.0 + n
    assert held() <= 2


def test_many_readers_at_once_get_their_own_answers(lake):
    errors = []
    file = data.use(lake)

    def ask(n):
        try:
            for i in range(30):
                assert data._rows(file, "SELECT ? AS mine", (1000 * n + i,), False, None) == [{"mine": 1000 * n + i}]
        except Exception as why:
            errors.append(why)

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors


def test_a_lake_without_a_published_file_says_what_to_do(tmp_path):
    with pytest.raises(data.NotPublished, match="make refresh"):
        data.use(tmp_path)


def test_a_published_file_that_is_no_database_says_what_to_do(tmp_path):
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / "tracker.duckdb").write_bytes(b"not a database" * 1000)
    with pytest.raises(data.NotPublished, match="megawatch rebuild"):
        data.use(tmp_path)


def test_a_question_for_more_rows_than_a_page_can_bear_is_an_error(lake):
    with pytest.raises(ValueError, match="filter in SQL"):
        data.rows("SELECT * FROM range(30000)")


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO prices SELECT * FROM prices",
        "CREATE TABLE mine AS SELECT 1",
        "CREATE TEMP TABLE mine AS SELECT 1",
        "DROP TABLE prices",
        "UPDATE tracker.main.prices SET low = 0",
        "COPY (SELECT 1) TO '/tmp/out.csv'",
        "EXPORT DATABASE '/tmp/out'",
        "ATTACH '/tmp/other.duckdb'",
        "DETACH tracker",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET memory_limit = '64GB'",
        "SET VARIABLE as_of = DATE '2026-01-01'",
        "PRAGMA database_list",
        "CALL pragma_version()",
        "SELECT 1; SELECT 2",
        "",
        "EXPLAIN ANALYZE SELECT 1",
    ],
)
def test_the_box_takes_one_select_and_nothing_else(lake, sql):
    with pytest.raises(data.Refused, match="one SELECT"):
        data.box(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/hostname')",
        "SELECT * FROM glob('/*')",
        "FROM read_parquet('https://host.example/x.parquet')",
    ],
)
def test_the_box_reads_no_other_file_or_host(lake, sql):
    with pytest.raises(data.Refused, match="published tables alone"):
        data.box(sql)


@pytest.mark.parametrize("sql", ["SELECT * FROM '/etc/passwd'", "SELECT * FROM lake", "SELECT * FROM os", "SELEC 1", "SELECT nothing FROM prices"])
def test_the_box_says_what_is_wrong_with_a_query(lake, sql):
    with pytest.raises(data.Refused, match=r"Error"):
        data.box(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "WITH RECURSIVE r AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM r) SELECT count(*) FROM r",
        "SELECT count(*) FROM range(1000000) a, range(1000000) b",
        "SELECT sum(sin(range)) FROM range(100000000000)",
    ],
)
def test_the_box_stops_an_endless_query(lake, sql, monkeypatch):
    monkeypatch.setattr(data, "BOX_SECONDS", 1)
    started = time.monotonic()
    with pytest.raises(data.Refused, match="stopped after"):
        data.box(sql)
    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    "sql", ["SELECT list(range) FROM range(100000000)", "SELECT rpad('x', 2000000000, 'y')", "SELECT length(repeat(repeat('x', 1000000), 4000))"]
)
def test_the_box_bounds_memory_and_the_page_needs_none_of_it(lake, sql):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(data.Refused, match=r"more memory|stopped after"):
        data.box(sql)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 2_100_000


def test_the_box_cuts_a_long_answer_and_says_so(lake):
    answer = data.box("SELECT range AS n FROM range(1000000)")
    assert len(answer.rows) == box.ROWS
    assert "first 1,000 rows" in answer.cut
    wide = data.box("SELECT repeat('x', 100000) AS x FROM range(1000)")
    assert len(wide.rows) < 60
    assert "longer than 4 MB" in wide.cut


def test_the_box_answers_with_every_version_or_for_a_day(lake):
    assert data.box("FROM prices SELECT low ORDER BY low").rows == [[2.26], [2.50]]
    assert data.box("SELECT low FROM prices", dt.date(2026, 10, 21)).rows == [[2.26]]
    assert data.box("DESCRIBE prices").names[0] == "column_name"


def test_columns_of_one_name_are_told_apart(lake):
    assert data.box("SELECT 1 AS a, 2 AS a").names == ["a", "a_1"]
