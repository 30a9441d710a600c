"""Following the repository by commits, on a GitHub of our own."""

import pytest

from tests.unit.sglang.fake_github import BUSY, DOCS, GATES, at, benchmarks, entry

KIMI = f"{DOCS}/moonshotai/kimi-k3-benchmarks.jsx"
KIMI_CONFIG = f"{DOCS}/moonshotai/kimi-k3.jsx"
CONFIG = 'export const config = {{ modelName: "Kimi-K3", cells: [ {{ match: {{ hw: "b300" }}, verified: {verified}, flags: ["--tp {tp}"] }} ] }};\n'
GATE = '''"""Not yet run on MI35x."""
import unittest
from sglang.test.ci.ci_register import register_amd_ci

register_amd_ci(est_time=900, suite="nightly-amd-8-gpu-mi35x-kimi-k3", nightly=True)
ACCURACY_THRESHOLD = {threshold}


class TestKimi(unittest.TestCase):
    def test_gsm8k(self):
        self.assertGreaterEqual(run_eval(), ACCURACY_THRESHOLD)
'''


def raw_calls(github):
    return [path for site, path, _, status in github.calls if site == "raw" and status == 200]


def test_the_first_look_is_the_tree_as_it_stands_dated_by_its_newest_commit(github, tracker):
    github.commit("first (#1)", at(1), {KIMI: benchmarks(entry(total=900))})
    github.commit("second (#2)", at(5), {KIMI: benchmarks(entry(total=1000))})
    tracker.refresh(at(6, 23))
    assert tracker.points() == [("B300", 16, 1000.0, at(5), None)]
    assert tracker.points("date_source, changed_after") == [("commit", None)]


def test_every_commit_after_it_is_a_snapshot_at_its_own_time(github, tracker):
    github.commit("first (#1)", at(1), {KIMI: benchmarks(entry(total=900))})
    tracker.refresh(at(1, 23))
    github.commit("faster (#2)", at(3), {KIMI: benchmarks(entry(total=950))})
    github.commit("faster still (#3)", at(4), {KIMI: benchmarks(entry(total=1000))})
    tracker.refresh(at(6, 23))
    assert tracker.points() == [("B300", 16, 900.0, at(1), at(3)), ("B300", 16, 950.0, at(3), at(4)), ("B300", 16, 1000.0, at(4), None)]
    assert tracker.points("pull_request, commit_sha") == [(None, github.commits[0].sha), (2, github.commits[1].sha), (3, github.commits[2].sha)]


def test_rows_say_at_which_commit_they_can_be_seen(github, tracker):
    sha = github.commit("first (#1)", at(1), {KIMI: benchmarks(entry())})
    tracker.refresh(at(1, 23))
    assert tracker.points("source_url, scope") == [
        (f"https://github.com/sgl-project/sglang/blob/{sha}/{KIMI}", "https://github.com/sgl-project/sglang#cookbook")
    ]


def test_a_move_to_another_root_neither_adds_nor_removes_a_row_and_fetches_nothing(github, tracker):
    old = KIMI.replace("docs/", "docs_new/")
    github.commit("first (#1)", at(1), {old: benchmarks(entry())})
    tracker.refresh(at(1, 23))
    before = len(raw_calls(github))
    github.commit("Move docs_new to docs (#2)", at(4), {}, moves={KIMI: old})
    tracker.refresh(at(4, 23))
    assert tracker.points("accelerator, valid_from, valid_to, part") == [("B300", at(1), None, KIMI)]
    assert len(raw_calls(github)) == before


def test_a_move_that_git_tells_as_removed_and_added_is_a_move_too(github, tracker):
    old, text = KIMI.replace("kimi-k3", "kimi-3"), benchmarks(entry())
    github.commit("first (#1)", at(1), {old: text})
    tracker.refresh(at(1, 23))
    github.commit("rename (#2)", at(4), {old: None, KIMI: text})
    tracker.refresh(at(4, 23))
    assert tracker.points("accelerator, valid_from, valid_to, part") == [("B300", at(1), None, KIMI)]


def test_a_renamed_model_file_keeps_its_rows_history_also_when_it_changes_on_the_way(github, tracker):
    old = f"{DOCS}/mistralai/mistral-3-benchmarks.jsx"
    new = f"{DOCS}/mistralai/ministral-3-benchmarks.jsx"
    github.commit("first (#1)", at(1), {old: benchmarks(entry(total=900))})
    tracker.refresh(at(1, 23))
    github.commit("rename (#2)", at(4), {new: benchmarks(entry(total=1000))}, moves={new: old})
    tracker.refresh(at(4, 23))
    github.commit("again (#3)", at(5), {new: benchmarks(entry(total=1100))})
    tracker.refresh(at(5, 23))
    assert tracker.points("total_tok_s_gpu, valid_from, valid_to") == [(900.0, at(1), at(4)), (1000.0, at(4), at(5)), (1100.0, at(5), None)]


def test_a_move_to_a_folder_nobody_watches_keeps_the_rows_is_told_and_followed(github, tracker):
    new = KIMI.replace("docs/src/snippets", "site/data")
    github.commit("first (#1)", at(1), {KIMI: benchmarks(entry(total=100))})
    tracker.refresh(at(1, 23))
    github.commit("third home (#2)", at(4), {}, moves={new: KIMI})
    snapshots = tracker.refresh(at(4, 23))
    assert tracker.points("valid_to, part") == [(None, new)]
    assert any("MEGAWATCH_SGLANG_ROOTS" in w for s in snapshots for w in s.warnings)
    github.commit("faster (#3)", at(5), {new: benchmarks(entry(total=110))})
    tracker.refresh(at(5, 23))
    assert tracker.points("total_tok_s_gpu, valid_from, valid_to") == [(100.0, at(1), at(5)), (110.0, at(5), None)]


def test_files_outside_the_watched_folders_are_not_read(github, tracker):
    elsewhere = {"examples/kimi-k3-benchmarks.jsx": benchmarks(entry(hw="h100")), "test/nightly/test_kimi_eval_mi35x.py": GATE.format(threshold=0.9)}
    github.commit("first (#1)", at(1), {KIMI: benchmarks(entry()), **elsewhere})
    tracker.refresh(at(1, 23))
    github.commit("second (#2)", at(2), {KIMI: benchmarks(entry(total=1001)), "examples/glm-benchmarks.jsx": benchmarks(entry(hw="h200"))})
    tracker.refresh(at(2, 23))
    assert {p[0] for p in tracker.points("accelerator")} == {"B300"}
    assert tracker.rows("accuracy_gates") == []


def test_a_copy_for_another_model_is_no_move(github, tracker):
    other = KIMI.replace("kimi-k3", "kimi-k4")
    github.commit("first (#1)", at(1), {KIMI: benchmarks(entry())})
    tracker.refresh(at(1, 23))
    github.commit("next model (#2)", at(4), {other: benchmarks(entry())})
    tracker.refresh(at(4, 23))
    assert tracker.points("model, valid_from, valid_to") == [("kimi-k3", at(1), None), ("kimi-k4", at(4), None)]


def test_a_revert_closes_what_it_reverts_and_says_so(github, tracker):
    github.commit("first (#1)", at(1), {KIMI: benchmarks(entry())})
    tracker.refresh(at(1, 23))
    github.commit("[AMD] MI355X rows (#36608)", at(3), {KIMI: benchmarks(entry(), entry(hw="mi355x"))})
    tracker.refresh(at(3, 23))
    github.commit('Revert "[AMD] MI355X rows (#36608)" (#37380)', at(5), {KIMI: benchmarks(entry())})
    snapshots = tracker.refresh(at(5, 23))
    assert tracker.points("accelerator, valid_from, valid_to") == [("B300", at(1), None), ("MI355X", at(3), at(5))]
    (told,) = [s.shape for s in snapshots if s.shape]
    assert (told["pull_request"], told["reverts"]) == (37380, 36608)


def test_a_removed_file_closes_its_rows(github, tracker):
    github.commit("first (#1)", at(1), {KIMI: benchmarks(entry())})
    tracker.refresh(at(1, 23))
    github.commit("gone (#2)", at(4), {KIMI: None})
    tracker.refresh(at(4, 23))
    assert tracker.points("valid_from, valid_to") == [(at(1), at(4))]


def test_a_config_alone_changes_what_is_read_from_it(github, tracker):
    github.commit("first (#1)", at(1), {KIMI: benchmarks(entry()), KIMI_CONFIG: CONFIG.format(verified="false", tp=4)})
    tracker.refresh(at(1, 23))
    github.commit("eight GPUs (#2)", at(4), {KIMI_CONFIG: CONFIG.format(verified="true", tp=8)})
    tracker.refresh(at(4, 23))
    assert tracker.points("accelerators, accelerators_from, verified, valid_from, valid_to") == [
        (4, "flags", False, at(1), at(4)),
        (8, "flags", True, at(4), None),
    ]
    assert len(raw_calls(github)) == len(set(raw_calls(github))) == 3


def test_benchmarks_are_read_with_a_config_that_came_before_them(github, tracker):
    github.commit("recipe (#1)", at(1), {KIMI_CONFIG: CONFIG.format(verified="true", tp=8), f"{DOCS}/a/b-benchmarks.jsx": benchmarks(entry())})
    tracker.refresh(at(1, 23))
    github.commit("numbers (#2)", at(4), {KIMI: benchmarks(entry())})
    tracker.refresh(at(4, 23))
    assert tracker.points("model, accelerators", "model = 'Kimi-K3'") == [("Kimi-K3", 8)]


def test_a_quiet_day_costs_six_calls_each_with_the_etag_of_the_day_before(github, tracker):
    github.commit("first (#1)", at(1), {KIMI: benchmarks(entry())})
    tracker.refresh(at(1, 23))
    calls = len(github.calls)
    snapshots = tracker.refresh(at(2, 23))
    assert len(github.calls) - calls == 6
    assert all(github.conditional[calls:])
    assert tracker.outcomes(snapshots, "cookbook") == ["unchanged"]


def test_a_second_run_on_the_same_day_asks_nothing(github, tracker):
    github.commit("first (#1)", at(1), {KIMI: benchmarks(entry())})
    tracker.refresh(at(1, 20))
    calls = len(github.calls)
    tracker.refresh(at(1, 23))
    assert len(github.calls) == calls


def test_links_are_followed_until_the_last_page(github, tracker):
    github.page_size = 3
    github.commit("first (#0)", at(1), {KIMI: benchmarks(entry(total=100))})
    tracker.refresh(at(1, 23))
    for number in range(1, 9):
        github.commit(f"change (#{number})", at(2, number), {KIMI: benchmarks(entry(total=100 + number))})
    tracker.refresh(at(3, 23))
    assert [p[0] for p in tracker.points("total_tok_s_gpu")] == [100.0 + n for n in range(9)]


def test_a_budget_that_ends_in_mid_run_loses_nothing_and_doubles_nothing(github, tracker):
    github.commit("first (#0)", at(1), {KIMI: benchmarks(entry(total=100))})
    tracker.refresh(at(1, 23))
    for number in range(1, 5):
        github.commit(f"change (#{number})", at(2, number), {KIMI: benchmarks(entry(total=100 + number))})
    github.limit = 7
    snapshots = tracker.refresh(at(3, 20))
    assert "rate_limited" in tracker.outcomes(snapshots, "commits")
    assert [p[0] for p in tracker.points("total_tok_s_gpu")] == [100.0, 101.0, 102.0]
    github.limit = 60
    tracker.refresh(at(4, 20))
    assert [p[0] for p in tracker.points("total_tok_s_gpu")] == [100.0, 101.0, 102.0, 103.0, 104.0]
    details = [path for _, path, _, status in github.calls if "/commits/" in path and status == 200]
    assert len(details) == len(set(details))


def test_a_secondary_limit_ends_the_run_as_rate_limited_and_the_next_run_goes_on(github, tracker):
    github.commit("first (#0)", at(1), {KIMI: benchmarks(entry(total=100))})
    tracker.refresh(at(1, 23))
    github.commit("change (#1)", at(2), {KIMI: benchmarks(entry(total=101))})
    github.faults.append(lambda site, path, params: (403, BUSY) if "/commits/" in path else None)
    snapshots = tracker.refresh(at(2, 23))
    assert tracker.stopped
    assert "rate_limited" in tracker.outcomes(snapshots, "commits")
    assert [p[0] for p in tracker.points("total_tok_s_gpu")] == [100.0]
    github.faults.clear()
    tracker.refresh(at(3, 23))
    assert [p[0] for p in tracker.points("total_tok_s_gpu")] == [100.0, 101.0]


def test_a_folder_that_answers_404_is_told_and_ends_nothing(github, tracker):
    github.commit("first (#0)", at(1), {KIMI: benchmarks(entry())})
    tracker.refresh(at(1, 23))
    github.faults.append(lambda site, path, params: (404, {"message": "Not Found"}) if params.get("path", "").startswith("docs/") else None)
    snapshots = tracker.refresh(at(2, 23))
    assert tracker.outcomes(snapshots, "commits").count("moved") == 2
    assert tracker.points("valid_to") == [(None,)]
    assert tracker.outcomes(snapshots, "cookbook") == []


def test_a_listed_commit_that_is_gone_is_answered_with_the_tree_at_head(github, tracker):
    github.commit("first (#0)", at(1), {KIMI: benchmarks(entry(total=100))})
    tracker.refresh(at(1, 23))
    gone = github.commit("pushed by mistake (#1)", at(2), {KIMI: benchmarks(entry(total=1))})
    github.commit("sound (#2)", at(3), {KIMI: benchmarks(entry(total=102))})
    github.faults.append(lambda site, path, params: (404, {"message": "No commit found"}) if path.endswith(f"/commits/{gone}") else None)
    snapshots = tracker.refresh(at(3, 23))
    assert [p[0] for p in tracker.points("total_tok_s_gpu")] == [100.0, 102.0]
    assert any(gone[:12] in w for s in snapshots for w in s.warnings)
    calls = len(github.calls)
    tracker.refresh(at(4, 23))
    assert len(github.calls) - calls == 6


def test_a_settled_commit_that_a_forced_push_took_away_takes_its_rows_along(github, tracker):
    github.commit("first (#0)", at(1), {KIMI: benchmarks(entry(total=100))})
    tracker.refresh(at(1, 23))
    github.commit("wrong (#1)", at(2), {KIMI: benchmarks(entry(total=100), entry(hw="mi355x", total=7))})
    tracker.refresh(at(2, 23))
    github.commits.pop()
    github.commit("right (#2)", at(2, 12), {KIMI: benchmarks(entry(total=100), entry(hw="h200", total=70))})
    tracker.refresh(at(3, 23))
    assert tracker.points("accelerator", "valid_to IS NULL") == [("B300",), ("H200",)]
    tracker.refresh(at(4, 23))
    assert tracker.points("accelerator", "valid_to IS NULL") == [("B300",), ("H200",)]


def test_a_forced_push_does_not_make_stale_evidence_fresh(github, tracker):
    path = f"{GATES}/test_kimi_k3_eval_mi35x.py"
    old = GATE.format(threshold=0.92).replace("Not yet run on MI35x.", "First green run on 8xMI355X scored 0.956.")
    github.commit("cookbook (#0)", at(1), {KIMI: benchmarks(entry())})
    tracker.refresh(at(1, 23))
    github.commit("[AMD] gate (#1)", at(2), {path: old})
    github.commit("[AMD] over chat (#2)", at(3), {path: old.replace("run_eval()", "run_chat_eval(max_tokens=16384)")})
    github.commit("wrong (#3)", at(4), {KIMI: benchmarks(entry(total=1))})
    tracker.refresh(at(4, 23))
    github.commits.pop()
    github.commit("right (#4)", at(5), {KIMI: benchmarks(entry(total=2))})
    tracker.refresh(at(5, 23))
    assert [r["evidence_stale"] for r in tracker.rows("accuracy_gates", "evidence_stale, valid_from")] == [False, True]


def test_a_stale_listing_is_not_taken_for_a_forced_push(github, tracker):
    github.commit("first (#0)", at(1), {KIMI: benchmarks(entry(total=100))})
    tracker.refresh(at(1, 23))
    newest = github.commit("second (#1)", at(2), {KIMI: benchmarks(entry(total=101))})
    tracker.refresh(at(2, 23))
    stale = [c for c in github._paged([github._shown(c) for c in reversed(github.commits)], "/commits", {"per_page": "100"})[1] if c["sha"] != newest]
    github.faults.append(lambda site, path, params: (200, stale) if params.get("path") == "docs/src/snippets" else None)
    tracker.refresh(at(3, 23))
    assert [p[0] for p in tracker.points("total_tok_s_gpu", "valid_to IS NULL")] == [101.0]


@pytest.mark.parametrize("cut", ["statistics", "exactly a full page", "no list"])
def test_a_file_list_cut_short_is_recognised_and_the_tree_read_instead(github, tracker, cut):
    github.commit("first (#0)", at(1), {KIMI: benchmarks(entry(total=100))})
    tracker.refresh(at(1, 23))
    sha = github.commit("big (#1)", at(2), {"a.txt": "x\n" * 10, KIMI: benchmarks(entry(total=101))})
    whole = github._api(f"/commits/{sha}", {})[1]
    short = {
        "statistics": {**whole, "files": [f for f in whole["files"] if f["filename"] != KIMI]},
        "exactly a full page": {**whole, "files": [{**whole["files"][0], "filename": f"{n}.txt"} for n in range(300)]},
        "no list": {k: v for k, v in whole.items() if k != "files"},
    }[cut]
    github.faults.append(lambda site, path, params: (200, short) if path.endswith(f"/commits/{sha}") else None)
    tracker.refresh(at(2, 23))
    assert tracker.points("total_tok_s_gpu, valid_from, valid_to, pull_request") == [(100.0, at(1), at(2), None), (101.0, at(2), None, 1)]


def test_a_tree_cut_short_is_read_folder_by_folder(github, tracker):
    sha = github.commit("first (#0)", at(1), {KIMI: benchmarks(entry(total=100)), "README.md": "x"})
    whole = github._tree(sha, recursive=True)[1]
    github.faults.append(lambda site, path, params: (200, {**whole, "truncated": True}) if path.endswith(f"/git/trees/{sha}") and params else None)
    tracker.refresh(at(1, 23))
    assert tracker.points("accelerator, total_tok_s_gpu") == [("B300", 100.0)]


@pytest.mark.parametrize(
    "answer",
    [(503, ""), (200, b"\x00garbage"), (200, "<!doctype html><title>Sign in</title>"), (404, "404: Not Found"), (200, benchmarks(entry(total=101))[:-10])],
)
def test_a_file_that_cannot_be_had_whole_is_told_left_for_the_next_run_and_never_passed_over(github, tracker, answer):
    github.commit("first (#0)", at(1), {KIMI: benchmarks(entry(total=100))})
    tracker.refresh(at(1, 23))
    sha = github.commit("second (#1)", at(2), {KIMI: benchmarks(entry(total=101))})
    github.commit("third (#2)", at(3), {KIMI: benchmarks(entry(total=102))})
    github.faults.append(lambda site, path, params: answer if site == "raw" and sha in path else None)
    snapshots = tracker.refresh(at(3, 23))
    assert set(tracker.outcomes(snapshots, "cookbook")) & {"unreachable", "invalid", "moved"}
    github.faults.clear()
    tracker.refresh(at(4, 23))
    assert tracker.points("total_tok_s_gpu, valid_from, valid_to") == [(100.0, at(1), at(2)), (101.0, at(2), at(3)), (102.0, at(3), None)]


def test_a_commit_whose_files_failed_is_not_forgotten_when_it_leaves_the_first_page(github, tracker):
    github.page_size = 4
    github.commit("first (#0)", at(1), {KIMI: benchmarks(entry(total=100))})
    tracker.refresh(at(1, 23))
    sha = github.commit("second (#1)", at(2), {KIMI: benchmarks(entry(total=101))})
    github.faults.append(lambda site, path, params: (503, "") if site == "raw" and sha in path else None)
    tracker.refresh(at(2, 23))
    github.faults.clear()
    for hour in range(8):
        github.commit(f"other (#{hour + 2})", at(3, hour), {f"{DOCS}/a/other.jsx": f"export const config = {{ n: {hour} }};"})
    tracker.refresh(at(3, 23))
    tracker.refresh(at(4, 23))
    assert [p[0] for p in tracker.points("total_tok_s_gpu")] == [100.0, 101.0]


def test_a_host_that_fails_three_files_in_a_row_is_left_alone(github, tracker):
    github.commit("first (#0)", at(1), {f"{DOCS}/a/m{n}-benchmarks.jsx": benchmarks(entry(total=n + 1)) for n in range(8)})
    github.faults.append(lambda site, path, params: (503, "") if site == "raw" else None)
    tracker.refresh(at(1, 23))
    assert len([c for c in github.calls if c[0] == "raw"]) == 3
    github.faults.clear()
    tracker.refresh(at(2, 23))
    assert len(tracker.points()) == 8


def test_a_file_of_20_megabytes_is_invalid_and_keeps_nothing_else_back(github, tracker):
    github.commit("first (#0)", at(1), {KIMI: benchmarks(entry(total=100))})
    tracker.refresh(at(1, 23))
    huge = benchmarks(entry(total=1)) + "// " + "x" * (20 << 20) + "\n"
    github.commit("huge (#1)", at(2), {KIMI: huge})
    github.commit("other (#2)", at(3), {f"{DOCS}/a/other-benchmarks.jsx": benchmarks(entry(hw="h200"))})
    snapshots = tracker.refresh(at(3, 23))
    assert "invalid" in tracker.outcomes(snapshots, "cookbook")
    assert tracker.points("accelerator, total_tok_s_gpu", "valid_to IS NULL") == [("B300", 100.0), ("H200", 1000.0)]


def test_a_file_that_is_no_javascript_keeps_its_old_rows_while_others_of_the_commit_change(github, tracker):
    other = f"{DOCS}/a/other-benchmarks.jsx"
    github.commit("first (#0)", at(1), {KIMI: benchmarks(entry(total=100)), other: benchmarks(entry(hw="h200", total=50))})
    tracker.refresh(at(1, 23))
    github.commit("both (#1)", at(2), {KIMI: "export const benchmarks = [ {", other: benchmarks(entry(hw="h200", total=60))})
    snapshots = tracker.refresh(at(2, 23))
    assert tracker.points("accelerator, total_tok_s_gpu", "valid_to IS NULL") == [("B300", 100.0), ("H200", 60.0)]
    assert any(KIMI in w and "former rows stay" in w for s in snapshots for w in s.warnings)


def test_garbage_instead_of_a_list_of_commits_is_told_and_asked_again(github, tracker):
    github.commit("first (#0)", at(1), {KIMI: benchmarks(entry(total=100))})
    github.faults.append(lambda site, path, params: (200, b"\xffgarbage") if site == "github" else None)
    snapshots = tracker.refresh(at(1, 20))
    assert set(tracker.outcomes(snapshots, "commits")) == {"invalid"}
    github.faults.clear()
    tracker.refresh(at(1, 23))
    assert len(tracker.points()) == 1


def test_commits_that_touch_no_file_we_read_are_asked_once(github, tracker):
    github.commit("first (#0)", at(1), {KIMI: benchmarks(entry())})
    tracker.refresh(at(1, 23))
    sha = github.commit("prose (#1)", at(2), {"docs/cookbook/autoregressive/Meta/MuseGlimmer.mdx": "# Muse Glimmer"})
    tracker.refresh(at(2, 23))
    tracker.refresh(at(3, 23))
    assert len([c for c in github.calls if c[1].endswith(f"/commits/{sha}")]) == 1


def test_a_gate_is_read_with_its_pull_request_and_each_run_is_asked_once(github, tracker):
    path = f"{GATES}/test_kimi_k3_eval_mi35x.py"
    github.commit("[AMD] gate (#40610)", at(1), {path: GATE.format(threshold=0.92)})
    tracker.refresh(at(1, 23))
    github.pull(40611, "[AMD] Kimi-K3 gate measured", at(2), at(2), body="GSM8K accuracy measured 0.951 on 8x MI355X, run 38411223344.")
    github.runs["38411223344"] = "success"
    github.commit("[AMD] measured (#40611)", at(2), {path: GATE.format(threshold=0.93).replace("Not yet run on MI35x.", "GSM8K on MI35x.")})
    tracker.refresh(at(2, 23))
    now = tracker.rows("accuracy_gates", "threshold, threshold_basis, run_state, evidence_run, pull_request", "valid_to IS NULL")
    assert [tuple(r.values()) for r in now] == [(0.93, "measured", "passed", "38411223344", 40611)]
    tracker.refresh(at(3, 23))
    assert len([c for c in github.calls if "/actions/runs/" in c[1]]) == 1


def test_a_run_that_is_no_longer_kept_is_unknown_and_not_asked_again(github, tracker):
    path = f"{GATES}/test_kimi_k3_eval_mi35x.py"
    text = GATE.format(threshold=0.92).replace("Not yet run on MI35x.", "Measured 0.951 in run 38411223344.")
    github.commit("[AMD] gate (#1)", at(1), {path: text})
    tracker.refresh(at(1, 23))
    github.commit("[AMD] gate (#2)", at(2), {path: text + "\n"})
    tracker.refresh(at(2, 23))
    assert len([c for c in github.calls if "/actions/runs/" in c[1]]) == 1
    assert tracker.rows("accuracy_gates", "threshold_basis, run_state", "valid_to IS NULL") == [{"threshold_basis": "measured", "run_state": "run"}]


def test_a_view_that_is_empty_at_first_begins_with_its_first_commit(github, tracker):
    github.commit("cookbook (#1)", at(1), {KIMI: benchmarks(entry())})
    tracker.refresh(at(1, 23))
    github.commit("[AMD] gate (#2)", at(4), {f"{GATES}/test_kimi_k3_eval_mi35x.py": GATE.format(threshold=0.92)})
    tracker.refresh(at(4, 23))
    (gate,) = tracker.rows("accuracy_gates", "threshold, valid_from, changed_after")
    assert gate == {"threshold": 0.92, "valid_from": at(4), "changed_after": None}
