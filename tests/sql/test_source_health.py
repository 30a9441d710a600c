"""How fresh a resource is, also where it is asked only when another one names something new."""

import pytest

from pipelines import changes
from pipelines.settings import load_settings
from tests.sql.world import day


@pytest.fixture
def asked(world):
    """Puts an attempt of a source in."""

    def put(source, resource, on, outcome="unchanged"):
        at = day(on)
        columns = ("snapshot_id", "source", "resource", "scope", "held_at", "captured_at", "outcome")
        query = f"INSERT INTO history.snapshots ({', '.join(columns)}) VALUES (?, ?, ?, ?, ?, ?, ?)"
        world.warehouse.con.execute(query, [f"{resource} {on}", source, resource, resource, at, at, outcome])

    return put


def freshness(world):
    return {r["resource"]: r["freshness"] for r in world.rows("SELECT resource, freshness FROM source_health")}


def test_a_resource_asked_every_day_ages_after_36_hours(world, asked):
    asked("artificial_analysis", "leaderboard", "2026-11-10")
    asked("artificial_analysis", "datacenter", "2026-11-12")
    assert freshness(world) == {"leaderboard": "stale", "datacenter": "fresh"}


def test_a_file_read_when_a_commit_names_it_is_as_fresh_as_the_list_of_commits(world, asked):
    asked("sglang", "gates", "2026-10-01", "changed")
    asked("sglang", "commits", "2026-11-12")
    assert freshness(world) == {"gates": "fresh", "commits": "fresh"}


def test_a_file_ages_with_the_list_of_commits_that_would_name_it(world, asked):
    asked("sglang", "gates", "2026-10-01", "changed")
    asked("sglang", "commits", "2026-11-12")
    asked("inferencex", "options", "2026-11-15")
    assert freshness(world) == {"gates": "stale", "commits": "stale", "options": "fresh"}


def test_one_whose_own_last_attempt_failed_is_not_fresh_by_another(world, asked):
    asked("inferencex", "past_rows", "2026-10-01", "changed")
    asked("inferencex", "past_rows", "2026-11-10", "unreachable")
    asked("inferencex", "availability", "2026-11-12")
    assert freshness(world)["past_rows"] == "stale"


@pytest.mark.parametrize(
    ("later", "stands"),
    [
        ([], ("never", 1, day("2026-11-01"))),
        ([("commits", "2026-11-02", "unchanged")], ("fresh", 0, None)),
        ([("commits", "2026-11-02", "unchanged"), ("collect", "2026-11-03", "invalid")], ("fresh", 1, day("2026-11-03"))),
    ],
    ids=["broke off", "came to its end", "broke off again"],
)
def test_a_reader_that_broke_off_is_well_again_after_a_run_that_came_to_its_end(world, asked, later, stands):
    asked("sglang", "collect", "2026-11-01", "invalid")
    asked("sglang", "commits", "2026-11-01")
    for attempt in later:
        asked("sglang", *attempt)
    (row,) = world.rows("SELECT freshness, consecutive_failures, failing_since FROM source_health WHERE resource = 'collect'")
    assert tuple(row.values()) == stands


@pytest.mark.parametrize(
    ("failing", "state"), [(["2026-11-01"], "open"), (["2026-11-01", "2026-11-02"], "open"), (["2026-11-01", "2026-11-02", "2026-11-03"], "answered")]
)
def test_a_resource_that_never_answered_is_silent_for_two_days_when_it_was_asked_for_so_long(world, asked, failing, state):
    changes.prepare(world.warehouse, load_settings(None))
    for on in failing:
        asked("inferencex", "evaluations", on, "unreachable")
    assert world.rows("SELECT state FROM watches WHERE name = 'source-stale-two-days'") == [{"state": state}]
