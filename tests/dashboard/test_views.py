"""What single views say and keep to themselves."""

import datetime as dt

import pytest

from dashboard.parts import trust
from tests.dashboard.reader import VIEWS
from tests.helpers import told_lake as told
from tests.shared import needs_shared

NIGHT = dt.datetime(2026, 10, 24, 23)


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    """Two days of AgentPerf results, listings and a gate."""
    lake = tmp_path_factory.mktemp("two_days") / "lake"
    for n, value, by, basis in ((2, 61354.0, "Artificial Analysis", "placeholder"), (0, 91500.0, "NVIDIA", "measured")):
        at = NIGHT - dt.timedelta(days=n)
        rows = [told.result("r1", "GB300", value, configured_by=by), told.result("r2", "MI355X", 3551.0, configured_by="AMD")]
        models = [told.listing("m1", "Muse Spark Open", input_usd_mtok=1.25 if n else 1.0, output_usd_mtok=4.25, intelligence_index=39.0)]
        told.tell(lake, "artificial_analysis", at, {"agentperf_results": rows, "models": models})
        told.tell(lake, "sglang", at, {"accuracy_gates": [told.gate("g1", "Muse Spark Open", threshold_basis=basis, threshold=0.9 if n else 0.92)]})
    told.publish(lake)
    return lake


def test_a_lake_whose_last_run_is_long_ago_says_so_unless_it_is_a_replay(read, lake, monkeypatch):
    assert "no run for" in read(lake).text
    monkeypatch.setattr(trust, "OLD", dt.timedelta(days=100_000))
    assert "no run for" not in read(lake).text


def test_the_first_page_counts_the_news_by_weight_and_tells_the_newest(read, lake):
    page = read(lake, since="2026-10-23")
    assert page.question == "What changed since 23 Oct 2026?"
    assert "61,354 → 91,500 agents per MW" in page.text
    assert page.answer.startswith("3 headlines")
    assert "input price falls from $1.25 to $1.00 per million tokens" in page.text
    assert "history" in page.text


def test_a_day_without_news_says_when_the_last_were(read, lake):
    page = read(lake, since="2026-10-24").choose("news_kind", "price_changed").choose("news_vendor", "NVIDIA")
    assert "Nothing in this choice. The newest change of all was seen on 24 Oct 2026." in page.text


def test_the_leaderboard_shows_the_change_since_another_day(read, lake):
    page = read(lake, "leaderboard", against="2026-10-22")
    assert "91,500 +49.1 %" in page.text
    assert "no change" in page.text
    assert "the best AMD system, MI355X on DeepSeek V4 Pro (max), reaches 3,550, 3.88 % of GB300 there" in page.answer
    before = read(lake, "leaderboard", day="2026-10-22")
    assert "61,400 agents per MW" in before.answer


def test_a_history_shows_steps_and_every_version(read, lake):
    page = read(lake, "history", kind="AgentPerf results", find="r1")
    assert "stands at 91,500 agents per MW since 24 Oct 2026, before that at 61,400 agents per MW." in page.answer
    assert "22 Oct 2026 23:00 UTC to 24 Oct 2026 23:00 UTC" in page.text
    (spec,) = page.charts
    steps = page.drawn()["rows0"]
    assert [(s["value"], s["since"], s["until"]) for s in steps] == [
        (61354.0, "2026-10-22T23:00:00Z", "2026-10-24T23:00:00Z"),
        (91500.0, "2026-10-24T23:00:00Z", "2026-10-24T23:00:00Z"),
    ]
    assert spec["layer"][0]["encoding"]["x"]["scale"]["type"] == "utc"


def test_two_snapshots_of_a_page_are_compared_row_by_row(read, lake):
    text = read(lake, "history").text
    assert "value: 61,354; configured by: Artificial Analysis" in text
    assert "value: 91,500; configured by: NVIDIA" in text


def test_the_gates_board_tells_what_a_threshold_rests_on_and_what_it_was(read, lake):
    page = read(lake, "gates")
    assert page.answer.startswith("Of 1 threshold, 1 rests on a measurement")
    assert "0.9 (22 Oct 2026) → 0.92 (24 Oct 2026)" in page.text
    assert read(lake, "gates", day="2026-10-23").answer.startswith("Of 1 threshold, none rest on a measurement")


def test_the_sources_view_shows_failures_with_what_to_do(read, failing_lake):
    page = read(failing_lake, "sources")
    assert page.answer.startswith("0 of 4 sources were read well")
    assert "sglang takes no connections. The next run asks it again." in page.text
    assert "check the network" in page.text


def test_a_snapshot_leads_to_its_bytes_only_where_the_terms_allow(read, failing_lake):
    from dashboard import data

    data.use(failing_lake)
    by_source = {r["source"]: r["snapshot_id"] for r in data.rows("SELECT source, snapshot_id FROM snapshots WHERE sha256 IS NOT NULL")}
    allowed = read(failing_lake, "sources", snapshot=by_source["curated"])
    assert '"prices"' in " ".join(c.value for c in allowed.app.code)
    closed = read(failing_lake, "sources", snapshot=by_source["inferencex"])
    assert "do not say that its pages may be passed on" in closed.text
    assert not closed.app.code
    public = read(failing_lake, "sources", public=True, snapshot=by_source["curated"])
    assert "does not hand out captures" in public.text
    assert not public.app.code


@pytest.mark.parametrize("view", VIEWS)
def test_a_public_page_has_no_sql_box_and_no_bulk_listing(read, curated_lake, view):
    page = read(curated_lake, view, public=True)
    assert not page.app.text_area
    assert not page.app.dataframe


def test_the_box_on_the_page_answers_and_refuses_in_words(read, curated_lake):
    page = read(curated_lake, "data_tables")
    page.app.text_area(key="sql").set_value("SELECT 42 AS answer")
    page.app.button[0].click().run()
    assert [list(d.value.iloc[0]) for d in page.app.dataframe][-1] == [42]
    for sql, reason in (
        ("DROP TABLE models", "one SELECT"),
        ("ATTACH '/tmp/other.duckdb'", "one SELECT"),
        ("INSTALL httpfs", "one SELECT"),
        ("SELECT * FROM read_csv('/etc/passwd')", "published tables alone"),
        ("SELECT list(range) FROM range(100000000)", "more memory than this box gives"),
        ("SELECT nothing FROM models", "nothing"),
    ):
        page.app.text_area(key="sql").set_value(sql)
        page.app.button[0].click().run()
        page.check()
        assert reason in page.text


@needs_shared
@pytest.mark.slow
def test_an_overlaid_day_draws_its_own_curves(read, world_lake):
    page = read(world_lake, "curves", model="Muse Spark Open", against="2026-10-20")
    lines = next(rows for rows in page.drawn().values() if "drawn" in rows[0])
    assert {line["older"] for line in lines} == {False, True}
    assert {line["drawn"] for line in lines} == {"interpolated", "clamped"}
    log = read(world_lake, "curves", model="Muse Spark Open", axes="log")
    assert log.charts[0]["layer"][0]["encoding"]["y"]["scale"]["type"] == "log"
