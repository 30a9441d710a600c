"""What becomes of points from day to day: superseded, gone, back again; and what is asked of the site for it."""

import pytest

from tests.unit.inferencex.by_hand import MODEL, RUNS, agentic, june, september
from tests.unit.inferencex.fake_site import Days, FakeSite


def line(run, date, *concurrencies, **change):
    """The points of one run."""
    return [
        agentic(
            id=str(run * 100 + c),
            conc=c,
            date=date,
            run_url=f"{RUNS}/{run}/attempts/1",
            metrics={"duration_seconds": 3600.0},
            image="lmsysorg/sglang:v0.5.20",
            **change,
        )
        for c in concurrencies
    ]


OLD = line(1, "2026-10-20", 1, 2, 3)
HUNG = line(2, "2026-10-25", 9)
OTHER = line(3, "2026-10-20", 64, hardware="mi355x")


@pytest.fixture
def site():
    return FakeSite(*OLD, *OTHER)


@pytest.fixture
def days(tmp_path, site):
    days = Days(tmp_path, site)
    yield days
    days.warehouse.close()


def test_the_first_day_loads_every_point(days):
    days.run("2026-10-21")
    assert days.now() == [(1, "active"), (2, "active"), (3, "active"), (64, "active")]


def test_a_day_without_news_changes_nothing_and_asks_for_no_past(days, site):
    days.run("2026-10-21")
    before = days.versions()
    assert {s.changed_rows for s in days.run("2026-10-22")} == {0}
    assert days.versions() == before
    assert days.outcomes() == ["changed", "unchanged"]
    assert not site.asked(path="benchmarks/history") and not site.asked(path="benchmarks", exact="true")


def test_points_of_a_line_that_a_newer_run_takes_are_superseded_not_gone(days, site):
    days.run("2026-10-21")
    site.rows += HUNG
    days.run("2026-10-25")
    assert days.now() == [(1, "superseded"), (2, "superseded"), (3, "superseded"), (9, "active"), (64, "active")]
    assert site.asked(path="benchmarks", exact="true") == [("benchmarks", {"model": MODEL, "date": "2026-10-20", "exact": "true"})]
    assert not site.asked(path="benchmarks/history")


def test_a_superseded_point_names_the_day_of_its_successor(days, site):
    days.run("2026-10-21")
    site.rows += HUNG
    days.run("2026-10-27")
    assert {str(on) for status, on in days.now("status, superseded_on") if status == "superseded"} == {"2026-10-25"}


def test_superseded_points_stay_so_without_being_asked_for_every_day(days, site):
    days.run("2026-10-21")
    site.rows += HUNG
    days.run("2026-10-25")
    settled = days.now()
    for day in ("2026-10-26", "2026-10-27", "2026-10-31"):
        days.run(day)
        assert days.now() == settled
        assert not site.asked(exact="true") and not site.asked(path="benchmarks/history")


def test_after_a_purge_the_purged_point_is_retracted_and_the_others_are_active_again(days, site):
    days.run("2026-10-21")
    site.rows += HUNG
    days.run("2026-10-25")
    site.rows.remove(HUNG[0])
    days.run("2026-10-28")
    assert days.now() == [(1, "active"), (2, "active"), (3, "active"), (9, "retracted"), (64, "active")]
    assert site.asked(exact="true", date="2026-10-25") and site.asked(path="benchmarks/history", benchmarkType="agentic_traces")
    days.run("2026-10-29")
    assert days.now() == [(1, "active"), (2, "active"), (3, "active"), (9, "retracted"), (64, "active")]


def test_a_retracted_point_that_returns_is_active_again(days, site):
    days.run("2026-10-21")
    site.rows.remove(OTHER[0])
    days.run("2026-10-22")
    assert (64, "retracted") in days.now()
    site.rows += OTHER
    days.run("2026-10-23")
    assert (64, "active") in days.now()


@pytest.mark.parametrize("failing", ["exact=true", "benchmarks/history"])
def test_a_point_is_not_gone_while_the_past_cannot_be_asked(days, site, failing):
    days.run("2026-10-21")
    site.rows.remove(OTHER[0])
    site.failing = {"exact=true", "benchmarks/history"} if failing == "exact=true" else {failing}
    days.run("2026-10-22")
    assert (64, "active") in days.now()
    site.failing = set()
    days.run("2026-10-23")
    assert (64, "retracted") in days.now()


def test_a_site_without_a_history_endpoint_is_believed_by_the_day(days, site):
    site.paths.remove("/api/v1/benchmarks/history")
    days.run("2026-10-21")
    site.rows.remove(OTHER[0])
    days.run("2026-10-22")
    assert (64, "retracted") in days.now()
    assert not site.asked(path="benchmarks/history")


def test_points_of_many_days_are_looked_for_in_the_history(days, site):
    site.rows = [row for n in range(1, 13) for row in line(n, f"2026-09-{n:02}", n, framework=f"f{n}")]
    days.run("2026-10-21")
    site.rows += [row for n in range(1, 13) for row in line(50 + n, "2026-10-21", 100 + n, framework=f"f{n}")]
    days.run("2026-10-22")
    assert len(site.asked(path="benchmarks/history")) == 1 and not site.asked(exact="true")
    assert [s for _, s in days.now()] == ["superseded"] * 12 + ["active"] * 12


def test_the_image_of_a_point_found_in_the_history_is_kept(days, site):
    site.rows = [row for n in range(1, 11) for row in line(n, f"2026-09-{n:02}", n, framework=f"f{n}")]
    days.run("2026-10-21")
    for row in site.rows:
        row["image"] = None
    site.rows += [row for n in range(1, 11) for row in line(50 + n, "2026-10-21", 100 + n, framework=f"f{n}")]
    days.run("2026-10-22")
    assert {image for status, image in days.now("status, framework_version") if status == "superseded"} == {"lmsysorg/sglang:v0.5.20"}


def test_a_superseded_point_is_asked_for_again_after_a_week_and_may_be_gone_by_then(days, site):
    days.run("2026-10-21")
    site.rows += HUNG
    days.run("2026-10-25")
    site.rows = [r for r in site.rows if r not in OLD]
    days.run("2026-10-31")
    assert (1, "superseded") in days.now()
    days.run("2026-11-02")
    assert [s for c, s in days.now() if c in (1, 2, 3)] == ["retracted"] * 3


def test_points_lost_without_a_reason_hold_the_snapshot_back(days, site):
    days.run("2026-10-21")
    site.hidden = OLD[:2]
    days.run("2026-10-22")
    assert days.now() == [(1, "active"), (2, "active"), (3, "active"), (64, "active")]
    assert days.outcomes()[-1] == "invalid"
    site.hidden = []
    days.run("2026-10-23")
    assert days.outcomes()[-1] == "unchanged"


def test_all_points_gone_at_once_are_not_believed(days, site):
    days.run("2026-10-21")
    site.rows = []
    days.run("2026-10-22")
    assert [s for _, s in days.now()] == ["active"] * 4
    assert days.outcomes()[-1] == "invalid"


def test_an_empty_answer_for_a_listed_model_leaves_its_points(days, site):
    days.run("2026-10-21")
    site.hidden = [*OLD, *OTHER]
    days.run("2026-10-22")
    assert days.outcomes()[-1] == "no_data"
    assert [s for _, s in days.now()] == ["active"] * 4


def test_a_listed_model_without_rows_and_without_availability_is_unchanged(days, site):
    site.models["Eager-1"] = ["eager"]
    days.run("2026-10-21")
    days.run("2026-10-22")
    sql = "SELECT outcome FROM history.snapshots WHERE scope LIKE '%Eager-1' ORDER BY captured_at"
    assert [r["outcome"] for r in days.warehouse.rows(sql)][-1] == "unchanged"


def test_rows_in_a_new_shape_are_no_news(days, site):
    site.rows = [june(conc=c) for c in (1, 2)]
    days.run("2026-06-12")
    before = days.versions()
    site.rows = [september(conc=c) for c in (1, 2)]
    days.run("2026-06-13")
    assert days.versions() == before


def test_a_figure_mended_in_place_opens_a_version_of_the_same_point(days, site):
    days.run("2026-10-21")
    site.rows = [r | {"metrics": r["metrics"] | {"tput_per_gpu": 17000.0, "input_tput_per_gpu": 16885.016}} if r["conc"] == 64 else r for r in site.rows]
    days.run("2026-10-22")
    sql = "SELECT total_tok_s_gpu, valid_to IS NULL AS now FROM history.operating_points WHERE concurrency = 64 ORDER BY valid_from"
    assert [tuple(r.values()) for r in days.warehouse.rows(sql)] == [(17480.42, False), (17000.0, True)]


def test_a_rebuild_from_the_lake_gives_the_same_rows(days, site, tmp_path):
    days.run("2026-10-21")
    site.rows += HUNG
    days.run("2026-10-25")
    site.failing = {"workflow-info"}
    days.run("2026-10-26")
    site.failing, site.rows = set(), [*OLD, *OTHER]
    days.run("2026-10-28")
    days.backfill("2026-10-29")
    days.run("2026-10-30")
    assert days.rebuilt(tmp_path) == days.everything()
