"""What a run asks of the site, and what it makes of what cannot be had."""

import pytest

from pipelines.sources.inferencex.collect import MOST_WORKFLOW_DAYS
from tests.unit.inferencex.by_hand import MODEL, RUNS, agentic, june
from tests.unit.inferencex.fake_site import Days, FakeSite


@pytest.fixture
def site():
    return FakeSite(agentic(date="2026-10-20", run_url=f"{RUNS}/1/attempts/1"))


@pytest.fixture
def days(tmp_path, site):
    days = Days(tmp_path, site)
    yield days
    days.warehouse.close()


def attributed(days):
    return days.now("attributed_to")


def test_discovery_comes_first_and_nothing_is_asked_twice(days, site):
    site.models["Other-1"] = ["o1"]
    days.run("2026-10-21")
    assert [p for p, _ in site.log[:4]] == ["/api/openapi.json", "views/options", "availability", "evaluations"]
    assert len(site.log) == len({str(entry) for entry in site.log})


def test_a_second_run_on_the_day_asks_nothing_and_adds_nothing(days, site):
    days.run("2026-10-21", hour=5)
    before = days.everything()
    days.run("2026-10-21", hour=9)
    assert site.log == []
    assert days.everything() == before


def test_a_model_nobody_knew_is_asked_for_as_soon_as_it_is_listed(days, site):
    days.run("2026-10-20")
    site.models["Newcomer"] = ["new1"]
    site.rows.append(agentic(model="new1", date="2026-10-21", run_url=f"{RUNS}/2/attempts/1"))
    days.run("2026-10-21")
    assert days.now("model") == [(MODEL,), ("Newcomer",)]


def test_one_model_failing_does_not_stop_the_others(days, site):
    site.models["Another"] = ["a1"]
    site.rows.append(agentic(model="a1", run_url=f"{RUNS}/2/attempts/1"))
    site.failing = {f"benchmarks?model={MODEL}"}
    days.run("2026-10-21")
    assert days.now("model") == [("Another",)]
    assert sorted(days.outcomes()) == ["changed", "unreachable"]


def test_models_are_asked_in_turn_the_longest_unasked_first(days, site):
    site.models = {"A": ["a"], "B": ["b"], "C": ["c"]}
    site.failing = {"model=A"}
    days.run("2026-10-21")
    site.failing = set()
    days.run("2026-10-22")
    assert [q["model"] for p, q in site.log if p == "benchmarks"] == ["A", "B", "C"]
    site.failing = {"model=B"}
    days.run("2026-10-23")
    site.failing = set()
    days.run("2026-10-24")
    assert [q["model"] for p, q in site.log if p == "benchmarks"] == ["B", "A", "C"]


def test_without_openapi_the_models_known_before_are_asked(days, site):
    days.run("2026-10-20")
    site.failing = {"openapi.json"}
    days.run("2026-10-21")
    assert site.asked(path="benchmarks", model=MODEL)
    assert days.outcomes("openapi") == ["changed", "unreachable"]


def test_without_openapi_on_the_first_day_the_models_of_options_are_asked(days, site):
    site.failing = {"openapi.json"}
    days.run("2026-10-20")
    assert days.now("model") == [(MODEL,)]


def test_where_nothing_the_site_offers_can_be_read_it_is_left_alone(days, site):
    days.run("2026-10-20")
    site.failing = {"openapi.json", "options", "availability"}
    days.run("2026-10-21")
    assert len(site.log) == 3
    assert days.outcomes()[-1] == "unreachable"
    assert days.now() == [(32, "active")]


def test_a_path_the_site_does_not_document_is_not_asked(days, site):
    site.paths -= {"/api/v1/workflow-info", "/api/v1/evaluations"}
    days.run("2026-10-21")
    assert not site.asked(path="workflow-info") and not site.asked(path="evaluations") and not site.asked(path="agentic-aggregates")


def test_the_run_named_with_a_tag_tells_who_submitted(days, site):
    site.runs = [{"github_run_id": "1", "name": "Run Sweep - [NVIDIA] add curve", "date": "2026-10-20"}]
    days.run("2026-10-21")
    assert attributed(days) == [("NVIDIA",)]


def test_attribution_that_comes_later_opens_a_version(days, site):
    site.runs = [{"github_run_id": "1", "name": "Run Sweep - [AMD] add curve", "date": "2026-10-20"}]
    site.failing = {"workflow-info"}
    days.run("2026-10-21")
    assert attributed(days) == [("unknown",)]
    site.failing = set()
    days.run("2026-10-22")
    assert attributed(days) == [("AMD",)]
    assert days.versions() == 2
    days.run("2026-10-23")
    assert days.versions() == 2


@pytest.mark.parametrize("fault", ["failing", "garbling"])
def test_attribution_that_failed_is_asked_again_the_same_day_and_stands_as_if_it_had_been_there_at_once(days, site, tmp_path, fault):
    site.runs = [{"github_run_id": "1", "name": "Run Sweep - [AMD] add curve", "date": "2026-10-20"}]
    setattr(site, fault, {"workflow-info"})
    days.run("2026-10-21", hour=5)
    days.run("2026-10-21", hour=7)
    assert attributed(days) == [("unknown",)]
    setattr(site, fault, set())
    days.run("2026-10-21", hour=9)
    assert attributed(days) == [("AMD",)]
    assert days.versions() == 1
    assert days.rebuilt(tmp_path) == days.everything()
    days.run("2026-10-21", hour=11)
    assert site.log == []


def test_workflow_info_that_could_not_be_read_is_asked_again_the_next_day(days, site):
    site.runs = [{"github_run_id": "1", "name": "Run Sweep - [AMD] add curve", "date": "2026-10-20"}]
    site.garbling = {"workflow-info"}
    days.run("2026-10-21")
    assert "invalid" in days.outcomes("workflow_info")
    site.garbling = set()
    days.run("2026-10-22")
    assert attributed(days) == [("AMD",)]


def test_a_day_is_asked_again_once_it_has_passed_and_never_after(days, site):
    asked = []
    for day in ("2026-10-20", "2026-10-21", "2026-10-22"):
        days.run(day)
        asked.append(len(site.asked(path="workflow-info", date="2026-10-20")))
    assert asked == [1, 1, 0]


def test_a_past_day_is_asked_again_when_a_run_it_did_not_name_turns_up(days, site):
    days.run("2026-10-22")
    site.rows.append(agentic(conc=64, date="2026-10-20", run_url=f"{RUNS}/7/attempts/1", framework="vllm"))
    site.runs = [{"github_run_id": "7", "name": "Run Sweep - [AMD] late entry", "date": "2026-10-20"}]
    days.run("2026-10-25")
    assert days.now("run_id, attributed_to") == [("1", "unknown"), ("7", "AMD")]
    days.run("2026-10-26")
    assert not site.asked(path="workflow-info")


def test_old_days_of_workflow_info_are_asked_a_few_a_run_newest_first(days, site):
    site.rows = [june(conc=n, date=f"2026-{1 + n // 28:02}-{1 + n % 28:02}", framework=f"f{n}", run_url=f"{RUNS}/{n}/attempts/1") for n in range(1, 41)]
    days.run("2026-06-12")
    first = [q["date"] for _, q in site.asked(path="workflow-info")]
    assert len(first) == MOST_WORKFLOW_DAYS and first == sorted(first, reverse=True)
    days.run("2026-06-13")
    rest = [q["date"] for _, q in site.asked(path="workflow-info")]
    assert len(rest) == 40 - MOST_WORKFLOW_DAYS and not set(first) & set(rest)


def test_aggregates_are_asked_for_new_agentic_points_alone(days, site):
    site.paths.add("/api/v1/agentic-aggregates")
    site.aggregates = {"440845": {"prefixCacheHitRate": {"mean": 0.96}}}
    site.rows.append(june(model="ex9"))
    days.run("2026-10-21")
    assert site.asked(path="agentic-aggregates") == [("agentic-aggregates", {"ids": "440845"})]
    assert [e for (e,) in days.now("extra") if '"agentic_aggregates":{"prefixCacheHitRate":{"mean":0.96}}' in e]
    days.run("2026-10-22")
    assert not site.asked(path="agentic-aggregates")


def test_a_run_cut_short_leaves_the_old_rows_and_the_next_one_completes(days, site):
    days.run("2026-10-20")
    site.rows.append(agentic(conc=64, date="2026-10-20", id="440999", run_url=f"{RUNS}/1/attempts/1"))
    site.stops_at = "workflow-info"
    days.run("2026-10-21", hour=5)
    assert days.outcomes()[-1] == "no_data"
    assert days.now() == [(32, "active")]
    site.stops_at = None
    days.run("2026-10-21", hour=9)
    assert days.now() == [(32, "active"), (64, "active")]


def test_prices_and_evaluations_are_taken_in(days):
    days.run("2026-10-21")
    assert [tuple(r.values()) for r in days.warehouse.rows("SELECT item, price_basis, low FROM history.prices ORDER BY ALL")] == [
        ("B300", "owning", 2.26),
        ("B300", "rental", 4.25),
    ]
    assert [tuple(r.values()) for r in days.warehouse.rows("SELECT model, task, value FROM history.evaluations")] == [(MODEL, "gsm8k", 0.9)]
