"""Evidence that is older than the way of measuring."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipelines.sources.sglang.gates import carry_staleness, is_stale
from tests.unit.sglang.gates.files import REGISTERED, RUN, gates, read, two_gates

DOCSTRING = f"First green run on 8xMI355X scored 0.947 (run {RUN})."
FILE = two_gates(docstring=DOCSTRING)


def harness(text: str) -> str:
    return gates(text)["accuracy"].harness


SAME_WAY = [
    ("ACCURACY_THRESHOLD = 0.92", "ACCURACY_THRESHOLD = 0.93"),
    ("ACCURACY_THRESHOLD = 0.92", "# Measured.\nACCURACY_THRESHOLD: float = 0.92  # really"),
    (DOCSTRING, "Another docstring."),
    (REGISTERED, 'register_amd_ci(est_time=60, suite="another", disabled="off")'),
    ("        metrics = run_eval(MODEL)", '        """What it does."""\n        print("running")\n\n        metrics = run_eval(MODEL)'),
    ("self.assertGreaterEqual(", "self.assertGreater("),
    ('MODEL = "nova', 'EXTRA_SPEED_THRESHOLD = 50\nMODEL = "nova'),
    ("import unittest\n", "import sys\nimport unittest\n"),
    ("class TestNova", "class TestAnother(unittest.TestCase):\n    def test_it(self):\n        pass\n\n\nclass TestNova"),
    ("run_eval(MODEL)", "run_eval(\n            MODEL,\n        )"),
    ("def test_gsm8k(self):", "def test_gsm8k(self) -> None:"),
]
OTHER_WAY = [
    ("run_eval(MODEL)", 'run_eval(MODEL, api="chat", max_tokens=16384)'),
    ("run_eval(MODEL)", "run_sgl_eval(MODEL)"),
    ("import unittest\n", "import unittest\nfrom few_shot import run_eval\n"),
    ("nova-labs/Nova-Two-300B-A20B", "nova-labs/Nova-Two-300B-A20B-FP8"),
    ("        metrics = run_eval(MODEL)", "        launch(['--tp', '4'])\n        metrics = run_eval(MODEL)"),
]


@pytest.mark.parametrize(("old", "new"), SAME_WAY)
def test_thresholds_prose_and_registration_are_no_part_of_the_harness(old, new):
    assert old in FILE
    assert harness(FILE.replace(old, new, 1)) == harness(FILE)


@pytest.mark.parametrize(("old", "new"), OTHER_WAY)
def test_another_way_of_measuring_is_another_harness(old, new):
    assert old in FILE
    assert harness(FILE.replace(old, new, 1)) != harness(FILE)


def test_an_alias_of_the_same_function_is_the_same_harness():
    one = FILE.replace("import unittest\n", "import unittest\nfrom few_shot import run_eval\n", 1)
    other = FILE.replace("import unittest\n", "import unittest\nfrom few_shot import run_eval as evaluate\n", 1).replace("run_eval(MODEL)", "evaluate(MODEL)")
    assert harness(one) == harness(other)


def test_another_entry_of_a_list_changes_only_its_own_harness():
    def text(*entries: str) -> str:
        return f"{REGISTERED}\nMODELS = [{', '.join(entries)}]\n"

    one, two, other = (
        'Case(model="a/one", accuracy_threshold=0.9)',
        'Case(model="b/two", accuracy_threshold=0.8)',
        'Case(model="b/two", accuracy_threshold=0.8, tp=4)',
    )
    alone, both, changed = ({g.model: g.harness for g in read(text(*e)).gates} for e in ((one,), (one, two), (one, other)))
    assert alone["a/one"] == both["a/one"] == changed["a/one"]
    assert both["b/two"] != changed["b/two"]


def states(*texts: str):
    return [gates(t)["accuracy"] for t in texts]


CHAT = FILE.replace("run_eval(MODEL)", 'run_eval(MODEL, api="chat")')


def test_the_same_evidence_beside_another_harness_is_stale():
    assert carry_staleness(states(FILE, CHAT)) == [False, True]


def test_it_stays_stale_until_new_evidence_appears():
    raised = CHAT.replace("ACCURACY_THRESHOLD = 0.92", "ACCURACY_THRESHOLD = 0.93")
    fresh = CHAT.replace(DOCSTRING, "Nightly run 38500119999 scored 0.951 on MI355X.")
    assert carry_staleness(states(FILE, CHAT, raised, fresh, fresh)) == [False, True, True, False, False]


def test_other_words_around_the_same_value_and_run_are_no_new_evidence():
    reworded = CHAT.replace(DOCSTRING, f"Chat harness; the first green run on 8xMI355X had scored 0.947 (run {RUN}), against 0.92.")
    assert carry_staleness(states(FILE, reworded)) == [False, True]


def test_the_same_value_measured_again_is_new_evidence():
    again = CHAT.replace(DOCSTRING, f"Re-measured over chat on 8xMI355X: 0.947 again (run {RUN}).")
    assert carry_staleness(states(FILE, again)) == [False, False]


def test_a_harness_put_back_makes_its_evidence_good_again():
    assert carry_staleness(states(FILE, CHAT, FILE)) == [False, True, False]


def test_evidence_that_comes_with_a_new_harness_is_fresh():
    bare = FILE.replace(DOCSTRING, "No word.")
    assert carry_staleness(states(bare, CHAT)) == [False, False]


def test_a_gate_without_evidence_is_never_stale():
    bare = FILE.replace(DOCSTRING, "No word.")
    assert carry_staleness(states(bare, bare.replace("run_eval", "run_other"))) == [False, False]
    assert carry_staleness([]) == []


def test_step_by_step_the_former_state_is_carried_on():
    before, after, later = states(FILE, CHAT, CHAT)
    assert not is_stale(before, before)
    assert is_stale(before, after)
    assert is_stale(replace(after, evidence_stale=True), later)
    assert not is_stale(replace(after, evidence_stale=True), replace(later, evidence_run="38500119999"))


def test_a_measuring_call_inside_the_assert_is_part_of_the_harness():
    inside = FILE.replace('metrics["accuracy"], ACC', 'run_eval(MODEL)["accuracy"], ACC')
    assert harness(inside) != harness(inside.replace('run_eval(MODEL)["accuracy"]', 'run_eval(MODEL, shots=8)["accuracy"]'))
    assert harness(inside) == harness(inside.replace("ACCURACY_THRESHOLD", "ACCURACY_FLOOR"))
