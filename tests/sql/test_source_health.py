"""How fresh a resource is, also where it is asked only when another one names something new."""

import pytest

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
