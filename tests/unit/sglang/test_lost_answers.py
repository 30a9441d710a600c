"""Bytes that a lake lost are asked again, and what rests on them stands as before."""

import datetime as dt

from pipelines.ingest import derive_again
from tests.unit.sglang.fake_github import at, benchmarks, entry
from tests.unit.sglang.test_backfilling import GATE, KIMI, backfill, gate, story
from tests.unit.sglang.test_following import GATE as GATE_FILE

RUN = "38411223344"
DAYS = {"operating_points": "accelerator, valid_from", "accuracy_gates": "gate_id, valid_from", "pull_requests": "number, valid_from"}


def captures(tracker, where="true"):
    return tracker.warehouse.captures(f"source = 'sglang' AND {where}", [])


def lose(tracker, *shas):
    """What the doctor does with bytes it cannot mend: gives them up, and derives what rests on them without them."""
    scopes = {c.scope for c in captures(tracker) if c.sha256 in shas}
    for sha in shas:
        tracker.warehouse.lake.give_up(sha, at(1))
    for scope in sorted(scopes):
        derive_again(tracker.warehouse, tracker.source, scope)


def history(tracker):
    return {table: tracker.rows(table, order=order) for table, order in DAYS.items()}


def gates_now(tracker):
    return tracker.rows("accuracy_gates", "threshold, threshold_basis, run_state", "valid_to IS NULL")


def a_month(github, tracker):
    """A first look, commits one by one, and older ones that a backfill brought."""
    times = story(github)
    later, github.commits[6:] = github.commits[6:], []
    tracker.refresh(times[5].replace(hour=23))
    github.commits += later
    github.pull(9, "[AMD] over chat", at(12), at(12), body=f"Measured 0.951 in run {RUN}.")
    github.runs[RUN] = "success"
    for when in times[6:]:
        tracker.refresh(when.replace(hour=23))
    backfill(tracker, dt.date(2026, 8, 1), at(16))


def test_whatever_is_lost_is_asked_again_and_history_is_what_it_was(github, tracker):
    a_month(github, tracker)
    before = history(tracker)
    asked_once = [c for c in captures(tracker) if c.ok and c.resource != "pull_requests"]
    kinds = {kind: list(dict.fromkeys(c.sha256 for c in asked_once if kind in c.meta)) for kind in ("blob", "detail", "tree", "pull")}
    assert all(kinds.values())
    for number, sha in enumerate(sha for shas in kinds.values() for sha in shas[::4]):
        lose(tracker, sha)
        tracker.refresh(at(17) + dt.timedelta(days=number))
        assert tracker.warehouse.lake.has(sha)
        assert history(tracker) == before
    assert not tracker.warehouse.rows("SELECT message FROM history.snapshots WHERE outcome = 'invalid'")


def test_all_of_it_lost_at_once_is_had_again_as_far_as_the_limit_goes_and_then_the_rest(github, tracker):
    a_month(github, tracker)
    before = history(tracker)
    lose(tracker, *sorted({c.sha256 for c in captures(tracker, "resource IN ('commits', 'gates', 'cookbook')") if c.sha256}))
    assert history(tracker) != before
    github.limit = 12
    for day in range(17, 22):
        tracker.refresh(at(day))
    assert history(tracker) == before


def test_a_view_whose_first_tree_is_lost_is_not_begun_anew_while_the_tree_cannot_be_had(github, tracker):
    a_month(github, tracker)
    before = history(tracker)
    trees = {c.sha256 for c in captures(tracker) if "tree" in c.meta}
    lose(tracker, *trees)
    github.commit("later (#12)", at(17), {KIMI: benchmarks(entry(total=900))})
    github.faults.append(lambda site, path, params: (502, "") if "/git/trees/" in path else None)
    tracker.refresh(at(17, 23))
    assert not [c for c in captures(tracker, "captured_at >= '2026-08-17'") if c.meta.get("begins")]
    github.faults.clear()
    tracker.refresh(at(18))
    points, then = history(tracker)["operating_points"], before["operating_points"]
    assert len(points) == len(then) + 1
    assert [p for p in points if p["valid_from"] < at(17) and p["valid_to"] != at(17)] == [p for p in then if p["valid_to"]]


def test_a_lost_commit_that_a_forced_push_took_away_does_not_hold_its_view_up(github, tracker):
    github.commit("rows (#1)", at(1), {KIMI: benchmarks(entry())})
    tracker.refresh(at(1, 23))
    gone = github.commit("rows (#2)", at(2), {KIMI: benchmarks(entry(total=1100))})
    tracker.refresh(at(2, 23))
    github.commits.pop()
    github.commit("rows (#3)", at(3), {KIMI: benchmarks(entry(total=1200))})
    lose(tracker, *{c.sha256 for c in captures(tracker) if c.meta.get("detail") == gone})
    tracker.refresh(at(3, 23))
    github.commit("rows (#4)", at(4), {KIMI: benchmarks(entry(total=1300))})
    tracker.refresh(at(4, 23))
    assert tracker.points("total_tok_s_gpu", "valid_to IS NULL") == [(1300.0,)]
    assert not tracker.warehouse.rows("SELECT 1 FROM history.operating_points WHERE total_tok_s_gpu = 1100")


def test_lost_files_that_cannot_be_had_keep_no_other_lost_answer_back(github, tracker):
    github.commit("rows (#1)", at(1), {KIMI: benchmarks(entry())})
    tracker.refresh(at(1, 23))
    for number in range(2, 6):
        github.commit(f"rows (#{number})", at(number), {KIMI: benchmarks(entry(total=1000 + number))})
    github.pull(9, "[AMD] gate", at(6), at(6), body="words")
    github.commit("[AMD] gate (#9)", at(6), {GATE: gate(0.92)})
    tracker.refresh(at(6, 23))
    files = {c.sha256 for c in captures(tracker) if "blob" in c.meta and "configs" in c.meta["path"]}
    (words,) = {c.sha256 for c in captures(tracker) if c.meta.get("pull") == 9 and c.resource == "gates" and "manifest" not in c.meta}
    lose(tracker, words, *files)
    github.faults.append(lambda site, path, params: (404, "") if site == "raw" and "configs" in path else None)
    tracker.refresh(at(8))
    assert tracker.warehouse.lake.has(words)


def test_words_that_are_others_by_now_take_the_place_of_the_lost_ones(github, tracker):
    github.commit("rows (#1)", at(1), {KIMI: benchmarks(entry())})
    tracker.refresh(at(1, 23))
    github.pull(3, "[AMD] Kimi-K3 gate measured", at(2), at(2), body="A threshold.")
    github.commit("[AMD] threshold (#3)", at(2), {GATE: GATE_FILE.format(threshold=0.93).replace("Not yet run on MI35x.", "GSM8K on MI35x.")})
    tracker.refresh(at(2, 23))
    (words,) = {c.sha256 for c in captures(tracker) if c.meta.get("pull") == 3 and c.resource == "gates" and "manifest" not in c.meta}
    lose(tracker, words)
    github.runs[RUN] = "success"
    github.pull(3, "[AMD] Kimi-K3 gate measured", at(2), at(2), body=f"GSM8K accuracy measured 0.951 on 8x MI355X, run {RUN}.")
    tracker.refresh(at(3))
    assert gates_now(tracker) == [{"threshold": 0.93, "threshold_basis": "measured", "run_state": "run"}]
    asked = len(github.calls)
    tracker.refresh(at(4))
    assert not [path for _, path, _, _ in github.calls[asked:] if path.endswith("/pulls/3")]


def test_words_that_are_gone_are_asked_for_once_more_only(github, tracker):
    github.pull(1, "[AMD] gate", at(1), at(1), body="words")
    github.commit("[AMD] gate (#1)", at(1), {GATE: gate(0.92)})
    tracker.refresh(at(1, 23))
    github.pull(2, "[AMD] gate", at(2), at(2), body="other words")
    github.commit("[AMD] gate (#2)", at(2), {GATE: gate(0.93)})
    tracker.refresh(at(2, 23))
    lose(tracker, *{c.sha256 for c in captures(tracker) if c.meta.get("pull") == 2 and c.resource == "gates" and "manifest" not in c.meta})
    del github.pulls[2]
    for day in (3, 4, 5):
        tracker.refresh(at(day))
    assert len([path for _, path, _, status in github.calls if path.endswith("/pulls/2") and status == 404]) == 1


def test_a_lost_page_of_pull_requests_is_read_again_with_what_it_held(github, tracker):
    github.page_size = 2
    github.pull(1, "cookbook 1", at(1), at(1))
    tracker.refresh(at(1, 23))
    for number in (2, 3, 4):
        github.pull(number, f"cookbook {number}", at(2, number), at(2, number))
    tracker.refresh(at(2, 23))
    before = {r["number"] for r in history(tracker)["pull_requests"]}
    assert before >= {2, 3, 4}
    second = [c for c in captures(tracker, "resource = 'pull_requests' AND captured_at > '2026-08-02'") if "page=2" in c.url]
    lose(tracker, second[-1].sha256)
    assert {r["number"] for r in history(tracker)["pull_requests"]} != before
    tracker.refresh(at(3))
    assert {r["number"] for r in history(tracker)["pull_requests"]} == before
