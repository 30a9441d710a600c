"""Pull requests: whom they speak for, what they touch, claim and revert."""

import datetime as dt
import json

import pytest

from pipelines import changes, marts
from pipelines.ingest import derive_again
from pipelines.settings import load_settings
from pipelines.sources.sglang.claims import claimed_points
from pipelines.sources.sglang.commits import Revert, revert_of
from pipelines.sources.sglang.pulls import hardware_in, models_in, topics_of, vendor_of
from tests.unit.sglang.fake_github import DOCS, FakeGitHub, at, benchmarks, entry

KIMI = f"{DOCS}/moonshotai/kimi-k3-benchmarks.jsx"
GATE = "test/registered/amd/accuracy/mi35x/test_kimi_k3_eval_mi35x.py"
CLAIM = """Five GB300 deployments on the AA AgentPerf coding-agent scenario.

| concurrency | parallelism | tok/s/user | total tok/s/GPU |
| --- | :---: | --- | ---: |
| 1 | TP8 EP8 | 485.8 | 2,514 |
| 160 | TP4 EP4 | **40.9** | 185,382 |

| step | done |
| --- | --- |
| 1 | yes |
"""


@pytest.mark.parametrize(
    ("title", "labels", "paths", "vendor"),
    [
        ("[AMD] Muse Spark Open MI35x accuracy gate", [], [], "AMD"),
        ("[NV] GB300 rows", [], [], "NVIDIA"),
        ("[NVIDIA][Docs] GB300 rows", ["amd"], [], "NVIDIA"),
        ("cookbook: MI355X rows", ["amd", "cookbook"], [], "AMD"),
        ("Raise the floor", [], ["test/registered/amd/accuracy/mi35x/test_x_mi35x.py"], "AMD"),
        ("Nemotron rows", [], ["docs/src/snippets/configs/nvidia/nemotron-benchmarks.jsx"], "unknown"),
        ("docs(cookbook): GB300 deployments", ["cookbook"], [], "unknown"),
        ("[AMD][NVIDIA] both", [], [], "unknown"),
        ('Revert "[AMD] rows (#36608)"', [], [], "unknown"),
    ],
)
def test_a_pull_request_speaks_for_a_vendor_by_tag_then_label_then_path(title, labels, paths, vendor):
    assert vendor_of(title, labels, paths)[0] == vendor


@pytest.mark.parametrize(
    ("title", "body", "labels", "paths", "topics"),
    [
        ("docs(cookbook): benchmark files", "", [], [], ["cookbook"]),
        ("Update rows", "", ["cookbook"], [], ["cookbook"]),
        ("Move docs_new to docs", "", [], [KIMI], ["cookbook"]),
        ("Muse Spark Open on AA AgentPerf", "", [], [], ["agentic"]),
        ("Serve faster", "as measured on AA-AgentPerf", [], [], ["agentic"]),
        ("docs(cookbook): sync AgentX launch commands", "", [], [], ["agentic", "cookbook"]),
        ("[AMD] MI35x accuracy nightlies", "", [], [], ["gates"]),
        ("[AMD] Kimi-K3 MI355X eval over chat", "", [], [], ["gates"]),
        ("[AMD] Fix kernel", "", [], [GATE], ["gates"]),
        ("[AMD] MI355X kernel", "the cookbook says so", [], [], []),
        ("Fix agent loop", "", [], [], []),
    ],
)
def test_topics_are_told_by_title_labels_and_files(title, body, labels, paths, topics):
    assert topics_of(title, body, labels, paths) == topics


def test_hardware_is_named_by_exact_alias():
    assert hardware_in("MI300X, MI325X and 8x MI355X; DGX Spark. Not MI9999 nor B3000.") == ["DGX Spark", "MI300X", "MI325X", "MI355X"]


def test_a_longer_model_name_is_not_taken_for_the_one_inside_it():
    names = ["Muse Spark", "muse-spark-open", "GLM-5.3-Flash", "glm-5.3-flash", "GLM-5"]
    assert models_in("Muse Spark Open on GB300, after GLM 5.3 Flash", names) == ["GLM-5.3-Flash", "muse-spark-open"]


def test_a_table_of_speeds_is_a_claim_with_its_figures_and_its_words():
    points = claimed_points(CLAIM)
    assert [(p["concurrency"], p["interactivity_tok_s"], p["total_tok_s_gpu"], p["tp"], p["ep"]) for p in points] == [
        (1, 485.8, 2514.0, 8, 8),
        (160, 40.9, 185382.0, 4, 4),
    ]
    assert points[0]["as_written"] == {"concurrency": "1", "parallelism": "TP8 EP8", "tok/s/user": "485.8", "total tok/s/GPU": "2,514"}


def test_cells_that_pack_several_values_stay_as_written():
    (point,) = claimed_points("| concurrency | tok/s/GPU |\n|---|---|\n| 1 / 16 | 136.1 @ 20.6 |\n")
    assert point == {"as_written": {"concurrency": "1 / 16", "tok/s/GPU": "136.1 @ 20.6"}}


@pytest.mark.parametrize("body", ["", "no table", "| a | b |\n| - | - |\n| 1 | 2 |", "| tok/s/GPU |\nno rule", "a | tok/s/user\n"])
def test_without_a_table_of_speeds_there_is_no_claim(body):
    assert claimed_points(body) == []


@pytest.mark.parametrize(
    ("title", "body", "meant"),
    [
        ('Revert "[AMD] rows (#36608)" (#37380)', "", Revert(36608, None, "[AMD] rows")),
        ('Revert "[AMD] rows"', "Reverts sgl-project/sglang#36608", Revert(36608, None, "[AMD] rows")),
        ("Undo rows", "This reverts commit 665fa2079a0c3e30efcfc4336679f3a628793e6c.", Revert(None, "665fa2079a0c3e30efcfc4336679f3a628793e6c", None)),
        ("Fix rows", "This partially reverts #35000 in spirit; see also reverts #3.", None),
    ],
)
def test_a_revert_is_told_by_title_number_or_commit(title, body, meant):
    assert revert_of(title, body) == meant


# ---- reading the list ---------------------------------------------------------------------------------------------


@pytest.fixture
def github():
    github = FakeGitHub()
    github.commit("cookbook (#1)", at(1), {KIMI: benchmarks(entry())})
    return github


def pulls(tracker, columns="number, state, reverts, reverted_by, valid_from, valid_to"):
    return [tuple(r.values()) for r in tracker.rows("pull_requests", columns, order="number, valid_from")]


def test_an_open_pull_request_is_tracked_from_the_day_it_is_seen_and_its_merge_is_a_version(github, tracker):
    github.pull(41055, "[AMD] cookbook: Muse Spark Open MI355X deployment", at(2))
    github.pull(41056, "Fix a kernel", at(2))
    tracker.refresh(at(2, 23))
    github.pull(41055, "[AMD] cookbook: Muse Spark Open MI355X deployment", at(4), at(4))
    tracker.refresh(at(4, 23))
    assert pulls(tracker) == [(41055, "open", None, None, at(2, 23), at(4, 23)), (41055, "merged", None, None, at(4, 23), None)]
    assert pulls(tracker, "vendor, topics, models, hardware")[0] == ("AMD", ["cookbook"], ["muse-spark-open"], ["MI355X"])


def test_claims_stay_with_the_pull_request_and_never_become_operating_points(github, tracker):
    github.pull(41020, "docs(cookbook): Muse Spark Open GB300 deployments", at(2), body=CLAIM)
    tracker.refresh(at(2, 23))
    ((claimed,),) = pulls(tracker, "claimed_points")
    assert [p["total_tok_s_gpu"] for p in json.loads(claimed)] == [2514.0, 185382.0]
    assert len(tracker.points()) == 1


def test_a_revert_links_both_ways_also_when_the_reverted_one_is_not_on_the_page(github, tracker):
    github.pull(36608, "[AMD] cookbook: rows", at(2), at(2))
    tracker.refresh(at(2, 23))
    old = github.pulls.pop(36608)
    github.pull(37380, 'Revert "[AMD] cookbook: rows (#36608)"', at(5), at(5))
    github.faults.append(lambda site, path, params: (200, old) if path.endswith("/pulls/36608") else None)
    tracker.refresh(at(5, 23))
    assert pulls(tracker) == [
        (36608, "merged", None, None, at(2, 23), at(5, 23)),
        (36608, "merged", None, 37380, at(5, 23), None),
        (37380, "merged", 36608, None, at(5, 23), None),
    ]


def test_a_link_once_known_stays_when_the_reverted_one_is_commented_on(github, tracker):
    github.pull(36608, "[AMD] cookbook: rows", at(2), at(2))
    github.pull(37380, 'Revert "[AMD] cookbook: rows (#36608)"', at(3), at(3))
    tracker.refresh(at(3, 23))
    github.pulls[36608]["updated_at"] = "2026-08-06T00:00:00Z"
    github.page_size = 1
    tracker.refresh(at(6, 23))
    assert (36608, "merged", None, 37380, at(3, 23), None) in pulls(tracker)


def test_a_model_is_named_from_the_first_day_on_which_the_cookbook_has_it(github, tracker):
    github.pull(1001, "[AMD] cookbook: Kimi-K3", at(1))
    tracker.refresh(at(1, 23))
    assert pulls(tracker, "models, valid_from, valid_to") == [(["kimi-k3"], at(1, 23), None)]


@pytest.mark.parametrize("again", [at(1, 21), at(1, 22), at(2, 22)], ids=["the same time", "the same day", "the next day"])
@pytest.mark.parametrize(("site", "path"), [("raw", "benchmarks.jsx"), ("github", "/pulls/1002/files")])
def test_what_tells_pull_requests_apart_and_could_not_be_had_is_had_by_a_later_run(github, tracker, site, path, again):
    github.pull(1001, "cookbook: Kimi-K3", at(1))
    github.pull(1002, "MI35x accuracy gate for Kimi", at(1, 8), files=["test/registered/amd/accuracy/mi35x/test_kimi_mi35x.py"])
    github.faults.append(lambda s, p, params: (502, "") if s == site and path in p else None)
    tracker.refresh(at(1, 21))
    whole = [(1001, "unknown", ["kimi-k3"]), (1002, "AMD", [])]
    assert pulls(tracker, "number, vendor, models") != whole
    github.faults.clear()
    tracker.refresh(again)
    now = tracker.rows("pull_requests", "number, vendor, models", "valid_to IS NULL", "number")
    assert [tuple(r.values()) for r in now] == whole
    asked = len(github.calls)
    tracker.refresh(at(3))
    assert [c[2] for c in github.calls[asked:] if c[1].endswith("/pulls") and "page" in c[2]] == []


@pytest.mark.parametrize(("site", "path"), [("raw", "kimi"), ("github", "/pulls/1002/files")])
def test_what_is_known_of_a_pull_request_is_not_forgotten_where_it_cannot_be_had_again(github, tracker, site, path):
    github.pull(1001, "cookbook: Kimi-K3", at(1))
    github.pull(1002, "MI35x accuracy gate for Kimi", at(1, 8), files=["test/registered/amd/accuracy/mi35x/test_kimi_mi35x.py"])
    tracker.refresh(at(1, 21))
    before = pulls(tracker, "number, vendor, models, valid_from, valid_to")
    assert before == [(1001, "unknown", ["kimi-k3"], at(1, 21), None), (1002, "AMD", [], at(1, 21), None)]
    lost = [c for c in tracker.warehouse.captures("resource = 'cookbook'", []) if "blob" in c.meta]
    tracker.warehouse.lake.give_up(lost[0].sha256, at(2))
    derive_again(tracker.warehouse, tracker.source, "https://github.com/sgl-project/sglang#cookbook")
    assert tracker.points() == []
    for number in (1001, 1002):
        github.pulls[number]["updated_at"] = "2026-08-02T00:00:00Z"
    github.faults.append(lambda s, p, params: (502, "") if s == site and path in p else None)
    tracker.refresh(at(2, 21))
    github.faults.clear()
    tracker.refresh(at(2, 21))
    assert pulls(tracker, "number, vendor, models, valid_from, valid_to") == before


GATE_FILES = ["test/registered/amd/accuracy/mi35x/test_kimi_mi35x.py"]


def test_what_a_list_of_files_told_stands_while_others_are_read(github, tracker):
    github.pull(1002, "MI35x accuracy gate for Kimi", at(1), files=GATE_FILES)
    tracker.refresh(at(1, 23))
    for day in (2, 3):
        github.pull(2000 + day, "MI35x accuracy gate for GLM", at(day), files=GATE_FILES)
        tracker.refresh(at(day, 23))
    assert pulls(tracker, "number, vendor, valid_from, valid_to")[0] == (1002, "AMD", at(1, 23), None)
    assert [c[1].rsplit("/", 2)[1] for c in github.calls if c[1].endswith("/files")] == ["1002", "2002", "2003"]


def test_a_list_of_files_that_stood_in_for_a_newer_one_is_no_answer_of_the_day(github, tracker):
    github.pull(1002, "Kimi in the cookbook", at(1), files=["python/sglang/x.py"])
    tracker.refresh(at(1, 23))
    github.pull(1002, "Kimi in the cookbook", at(2), files=GATE_FILES)
    github.faults.append(lambda s, p, params: (502, "") if p.endswith("/files") else None)
    tracker.refresh(at(2, 20))
    github.faults.clear()
    tracker.refresh(at(2, 21))
    assert pulls(tracker, "vendor, topics, valid_from")[-1] == ("AMD", ["cookbook", "gates"], at(2, 21))


def test_after_a_first_reading_that_lacked_something_nothing_newer_is_left_out(github, tracker, monkeypatch):
    monkeypatch.setattr("pipelines.sources.sglang.pull_pages.FIRST_PAGES", 2)
    github.page_size = 2
    github.pull(1, "cookbook 1", at(1))
    github.faults.append(lambda s, p, params: (502, "") if s == "raw" else None)
    tracker.refresh(at(1, 23))
    github.faults.clear()
    for number in range(2, 12):
        github.pull(number, f"cookbook {number}", at(2, number))
    tracker.refresh(at(2, 23))
    assert {n for (n,) in pulls(tracker, "number")} == set(range(1, 12))


def test_a_second_reading_at_the_same_time_tells_no_event_twice(github, tracker):
    marts.prepare(tracker.warehouse)
    changes.prepare(tracker.warehouse, load_settings(None))
    github.pull(1, "cookbook 1", at(1))
    tracker.refresh(at(1, 23))
    github.pull(5, "cookbook: Kimi", at(2), files=["python/sglang/x.py"])
    tracker.refresh(at(2, 23))
    changes.derive(tracker.warehouse)
    github.pull(5, "cookbook: Kimi, tuned", at(3), files=["python/sglang/x.py"])
    github.faults.append(lambda s, p, params: (502, "") if p.endswith("/files") else None)
    tracker.refresh(at(3, 23))
    github.faults.clear()
    github.pull(5, "cookbook: Kimi, tuned more", at(3, 10), files=GATE_FILES)
    tracker.refresh(at(3, 23))
    changes.derive(tracker.warehouse)
    told = [r["event_id"] for r in tracker.warehouse.rows("SELECT event_id FROM history.change_events WHERE kind LIKE 'pull%'")]
    assert len(told) == 1


def test_an_open_revert_has_undone_nothing_yet(github, tracker):
    github.pull(36608, "[AMD] cookbook: rows", at(2), at(2))
    github.pull(37380, 'Revert "[AMD] cookbook: rows (#36608)"', at(3))
    tracker.refresh(at(3, 23))
    assert pulls(tracker, "number, reverts, reverted_by") == [(36608, None, None), (37380, 36608, None)]


def test_a_merged_pull_request_without_a_telling_title_is_tracked_by_its_commits_files(github, tracker):
    tracker.refresh(at(1, 23))
    github.commit("Tidy up (#33600)", at(4), {KIMI: benchmarks(entry(total=1001))})
    github.pull(33600, "Tidy up", at(4), at(4))
    tracker.refresh(at(4, 23))
    assert pulls(tracker, "number, topics") == [(33600, ["cookbook"])]


def test_files_of_an_open_pull_request_are_asked_only_where_nothing_else_names_a_vendor(github, tracker):
    github.pull(1001, "MI35x accuracy gate for Kimi", at(2), files=["test/registered/amd/accuracy/mi35x/test_kimi_mi35x.py"])
    github.pull(1002, "[AMD] MI35x accuracy gate for GLM", at(2))
    tracker.refresh(at(2, 23))
    assert pulls(tracker, "number, vendor") == [(1001, "AMD"), (1002, "AMD")]
    assert [c[1].rsplit("/", 2)[1] for c in github.calls if c[1].endswith("/files")] == ["1001"]


def test_reading_stops_at_what_the_last_reading_had_seen(github, tracker):
    github.page_size = 2
    for number in range(10):
        github.pull(number + 1, f"cookbook {number}", at(2, number))
    tracker.refresh(at(2, 23))
    github.pull(50, "cookbook new", at(3))
    calls = len(github.calls)
    tracker.refresh(at(3, 23))
    assert [c[2].get("page", "1") for c in github.calls[calls:] if c[1].endswith("/pulls")] == ["1"]
    assert len(pulls(tracker)) == 11


def test_a_reading_cut_short_by_the_limit_is_made_again_and_loses_nothing(github, tracker):
    github.page_size = 2
    tracker.refresh(at(1, 23))
    for number in range(9):
        github.pull(number + 1, f"cookbook {number}", at(2, number))
    github.limit = 8
    snapshots = tracker.refresh(at(2, 20))
    assert "rate_limited" in tracker.outcomes(snapshots, "pull_requests")
    assert pulls(tracker) == []
    github.limit = 60
    tracker.refresh(at(2, 23))
    assert len(pulls(tracker)) == 9


def test_a_reading_cut_short_is_made_again_also_when_the_list_has_not_changed_since(github, tracker):
    github.page_size = 2
    github.pull(50, "cookbook first", at(1))
    tracker.refresh(at(1, 23))
    for number in range(9):
        github.pull(number + 1, f"cookbook {number}", at(2, number))
    github.limit = 8
    tracker.refresh(at(2, 23))
    assert len(pulls(tracker)) == 1
    github.limit = 60
    tracker.refresh(at(3, 23))
    assert len(pulls(tracker)) == 10


def test_when_too_much_happened_since_the_last_reading_the_gap_is_told_once(github, tracker, monkeypatch):
    monkeypatch.setattr("pipelines.sources.sglang.pull_pages.MOST_PAGES", 2)
    github.page_size = 2
    github.pull(1, "cookbook 1", at(2))
    tracker.refresh(at(2, 23))
    for number in range(2, 12):
        github.pull(number, f"cookbook {number}", at(3, number))
    snapshots = tracker.refresh(at(3, 23))
    assert any("were not read" in (s.last.message or "") for s in snapshots)
    snapshots = tracker.refresh(at(4, 23))
    assert not any("were not read" in (s.last.message or "") for s in snapshots)


def test_an_untracked_title_that_becomes_a_tracked_one_appears_and_the_other_way_ends(github, tracker):
    github.pull(7, "Rows", at(2))
    tracker.refresh(at(2, 23))
    github.pull(7, "cookbook: rows", at(3))
    tracker.refresh(at(3, 23))
    github.pull(7, "Rows", at(4))
    tracker.refresh(at(4, 23))
    assert pulls(tracker, "valid_from, valid_to") == [(at(3, 23), at(4, 23))]


def test_times_are_utc_without_a_zone(github, tracker):
    github.pull(7, "cookbook: rows", at(2), at(3))
    tracker.refresh(at(3, 23))
    ((created, merged),) = pulls(tracker, "created_at, merged_at")
    assert (created, merged) == (dt.datetime(2026, 8, 2, 9), dt.datetime(2026, 8, 3, 9))
