"""The repository's past gives the history that daily runs would have given."""

import datetime as dt
import time

import pytest

from tests.memory import forget_peak, status_mb
from tests.unit.sglang.fake_github import DOCS, GATES, FakeGitHub, Tracker, at, benchmarks, entry

KIMI, GLM = f"{DOCS}/moonshotai/kimi-k3-benchmarks.jsx", f"{DOCS}/zai-org/glm-5.3-flash-benchmarks.jsx"
KIMI_CONFIG = f"{DOCS}/moonshotai/kimi-k3.jsx"
GATE = f"{GATES}/test_kimi_k3_eval_mi35x.py"
HISTORY = "valid_from, valid_to, date_source, live"
POINT = f"model, accelerator, accelerators, total_tok_s_gpu, part, {HISTORY}"
GATE_ROW = f"gate_id, threshold, threshold_basis, run_state, evidence, evidence_stale, {HISTORY}"


def gate(threshold, harness="few-shot completion"):
    return (
        f'"""GSM8K by {harness}. First green run on 8xMI355X scored 0.956."""\nimport unittest\nfrom sglang.test.ci.ci_register import register_amd_ci\n\n'
        f'register_amd_ci(est_time=900, suite="nightly-amd-8-gpu-mi35x-kimi-k3", nightly=True)\nACCURACY_THRESHOLD = {threshold}\n\n\n'
        f'class TestKimi(unittest.TestCase):\n    def test_gsm8k(self):\n        self.assertGreaterEqual(run_eval("{harness}"), ACCURACY_THRESHOLD)\n'
    )


def config(tp):
    return f'export const config = {{ modelName: "Kimi-K3", cells: [ {{ match: {{ hw: "b300" }}, flags: ["--tp {tp}"] }} ] }};\n'


def story(github, upto=99):
    """Commits of a month: rows come, move, change, go; a config and a gate change beside them."""
    old = KIMI.replace("docs/", "docs_new/").replace("kimi-k3", "kimi-3")
    steps = [
        ("start (#1)", at(1), {old: benchmarks(entry(total=100)), "README.md": "x"}, None),
        ("recipe (#2)", at(3), {KIMI_CONFIG: config(4)}, None),
        ("move (#3)", at(4), {}, {KIMI: old}),
        ("[AMD] gate (#4)", at(5), {GATE: gate(0.92)}, None),
        ("faster (#5)", at(6), {KIMI: benchmarks(entry(total=110))}, None),
        ("[AMD] rows (#6)", at(8), {GLM: benchmarks(entry(hw="mi355x", total=50))}, None),
        ("eight GPUs (#7)", at(9), {KIMI_CONFIG: config(8)}, None),
        ('Revert "[AMD] rows (#6)" (#8)', at(11), {GLM: None}, None),
        ("[AMD] over chat (#9)", at(12), {GATE: gate(0.92, "chat")}, None),
        ("more (#10)", at(14), {KIMI: benchmarks(entry(total=110), entry(hw="h200", total=70))}, None),
        ("[AMD] words (#11)", at(15), {GATE: gate(0.92, "chat") + "\n# a remark\n"}, None),
    ]
    for message, when, files, moves in steps[: upto + 1]:
        github.commit(message, when, files, moves)
    return [when for _, when, _, _ in steps]


def walked(tmp_path):
    """The history of daily runs."""
    github = FakeGitHub()
    tracker = Tracker(tmp_path / "walked", github)
    for number, when in enumerate(story(FakeGitHub())):
        github.commits.clear()
        story(github, number)
        tracker.refresh(when.replace(hour=23))
    return tracker


def told(tracker):
    """Versions without the ids of points, which are named by what a file was called when it was first seen."""
    return tracker.rows("operating_points", POINT, order="accelerator, valid_from"), tracker.rows("accuracy_gates", GATE_ROW, order="gate_id, valid_from")


@pytest.fixture
def late(tmp_path):
    """A tracker whose first look is at the end of the story."""
    github = FakeGitHub(limit=1000)
    story(github)
    tracker = Tracker(tmp_path / "late", github)
    tracker.refresh(at(20, 12))
    yield tracker
    tracker.close()


def backfill(tracker, since, when=None):
    return tracker.refresh(when or at(20, 13), lambda run: tracker.source.backfill(run, since))


def test_a_backfill_gives_the_history_of_daily_runs(tmp_path, late):
    daily = walked(tmp_path)
    backfill(late, dt.date(2026, 8, 1))
    assert told(late) == told(daily)
    assert [g["evidence_stale"] for g in told(late)[1]] == [False, True]
    daily.close()


def test_a_backfill_cut_short_by_the_limit_goes_on_and_ends_the_same(tmp_path, late, monkeypatch):
    monkeypatch.setattr("pipelines.sources.sglang.backfill.STRETCH", 3)
    late.github.limit = 12
    for hour in range(13, 24):
        backfill(late, dt.date(2026, 8, 1), at(20, hour))
    daily = walked(tmp_path)
    assert told(late) == told(daily)
    asked = [path for site, path, params, status in late.github.calls if status == 200 and ("/commits/" in path or site == "raw")]
    assert len(asked) == len(set(asked))
    daily.close()


def test_newer_stretches_are_there_before_older_ones(late, monkeypatch):
    monkeypatch.setattr("pipelines.sources.sglang.backfill.STRETCH", 4)
    late.github.limit = 12
    backfill(late, dt.date(2026, 8, 1))
    reached = min(p[0] for p in late.points("valid_from"))
    assert at(1) < reached < at(14)


def test_a_backfill_stops_at_its_day(late):
    backfill(late, dt.date(2026, 8, 6))
    assert min(p[0] for p in late.points("valid_from")) == at(6)
    calls = len(late.github.calls)
    backfill(late, dt.date(2026, 8, 6), at(21, 14))
    assert len(late.github.calls) - calls == 5


def test_without_a_first_look_there_is_no_past_to_go_back_to(tmp_path):
    github = FakeGitHub()
    story(github)
    tracker = Tracker(tmp_path, github)
    backfill(tracker, dt.date(2026, 8, 1))
    assert (github.calls, tracker.points()) == ([], [])
    tracker.close()


def test_daily_runs_go_on_after_a_backfill(late):
    backfill(late, dt.date(2026, 8, 1))
    before = len(late.points())
    late.github.commit("later (#12)", at(21), {KIMI: benchmarks(entry(total=120), entry(hw="h200", total=70))})
    late.refresh(at(21, 23))
    assert len(late.points()) == before + 1


def test_a_commit_of_the_past_that_is_gone_is_passed_over(late):
    gone = next(c.sha for c in late.github.commits if "faster" in c.message)
    late.github.faults.append(lambda site, path, params: (404, {"message": "No commit found"}) if path.endswith(gone) else None)
    backfill(late, dt.date(2026, 8, 1))
    assert min(p[0] for p in late.points("valid_from")) == at(1)


@pytest.mark.slow
def test_a_backfill_over_two_thousand_commits_is_quick_and_small(tmp_path, monkeypatch):
    monkeypatch.setenv("GITHUB_TOKEN", "a-token")
    github = FakeGitHub(limit=5000)
    start = dt.datetime(2026, 8, 1)
    for number in range(2001):
        path = f"{DOCS}/org-{number % 40}/model-{number % 40}-benchmarks.jsx"
        github.commit(f"change (#{number})", start + dt.timedelta(minutes=number), {path: benchmarks(entry(total=100 + number), entry(hw="h200", total=50))})
    tracker = Tracker(tmp_path, github)
    tracker.refresh(at(20, 12))
    held = forget_peak()
    started = time.process_time()  # of this process alone: the machine may be shared
    backfill(tracker, dt.date(2026, 8, 1))
    took = time.process_time() - started
    peak = status_mb("VmHWM") - held
    print(f"2,000 commits: {took:.0f} s, {peak:.0f} MB")
    assert len(tracker.points()) == 2001 + 40
    assert (took < 180, peak < 500) == (True, True)
    tracker.close()
