"""A gate that is added unmeasured and filled in later, written in every shape and in several hands."""

from __future__ import annotations

import pytest

from tests.unit.sglang.gates.files import REGISTERED, RUN, gates

SHAPES = {
    "constants": "# {a}\nACCURACY_THRESHOLD = {x}\n# {b}\nACCEPT_LENGTH_THRESHOLD = {y}\n" + "{asserts}",
    "trailing": "ACCURACY_THRESHOLD = {x}  # {a}\nACCEPT_LENGTH_THRESHOLD = {y}  # {b}\n" + "{asserts}",
    "attributes": "class TestNova(Mixin):\n    model = MODEL\n    # {a}\n    gsm8k_accuracy_thres = {x}\n    # {b}\n    gsm8k_accept_length_thres = {y}\n",
    "keywords": "run(\n    Params(\n        dataset='gsm8k',\n        # {a}\n        baseline_accuracy={x},\n        # {b}\n"
    "        baseline_accept_length={y},\n    )\n)\n",
    "dict": "THRESHOLDS = {{\n    # {a}\n    'accuracy': {x},\n    # {b}\n    'accept_length': {y},\n}}\n",
    "literals": "class TestNova(Base):\n    def test_gsm8k(self):\n        # {a}\n        self.assertGreaterEqual(m['accuracy'], {x})\n        # {b}\n"
    "        self.assertGreater(m['accept_length'], {y})\n",
    "environment": "# {a}\nACCURACY_THRESHOLD = float(os.environ.get('A', '{x}'))\n# {b}\nACCEPT_LENGTH_THRESHOLD = float(os.environ.get('B', '{y}'))\n",
}
ASSERTS = """
class TestNova(unittest.TestCase):
    def test_gsm8k(self):
        m = run_eval(MODEL)
        self.assertGreaterEqual(m["accuracy"], ACCURACY_THRESHOLD)
        self.assertGreater(m["accept_length"], ACCEPT_LENGTH_THRESHOLD)
"""
BEFORE = [
    ("Gate for bring-up.", "Follows the 0.96 reported upstream less 0.05; not run on MI35x yet.", "Placeholder, nothing measured on AMD so far."),
    ("Gate for bring-up, has not been executed on AMD hardware.", "The model card's 96.0% with five points of slack.", "TBD: inherited from the CUDA floor."),
    ("Not yet exercised on MI355X.", "From the 96% on the HF card, minus 5%.", "Copied from the TP8 peer."),
    ("Never been run on MI35x.", "Same value as the B300 gate.", "Stand-in until MI355X has been measured."),
    ("Day-0 gate.", "Upstream reports 0.96; 0.91 leaves 0.05. Has yet to run on MI35x.", "No accept length has been measured on MI35x, so this is a guess."),
]
AFTER = [
    ("Gate.", f"Measured 0.958 on 8xMI355X, run {RUN}; the floor sits 0.03 under.", f"Measured 3.35 on 8xMI355X, run {RUN}."),
    (
        f"GSM8K 95.8% and accept length 3.35 on 8xMI355X (https://github.com/o/r/actions/runs/{RUN}).",
        "0.03 below the measured 95.8%.",
        "0.35 below the measured 3.35.",
    ),
    (f"First green nightly: https://github.com/o/r/actions/runs/{RUN}", f"Scored 0.958 in run {RUN} on MI355X, less 0.03.", f"Came out at 3.35 in run {RUN}."),
    ("No placeholder is left.", f"Nightly {RUN} on MI355X: accuracy 0.958, so the floor is 0.93.", f"Nightly {RUN} on MI355X: accept length 3.35."),
]


def written(shape: str, told: tuple[str, str, str], x: str, y: str) -> str:
    body = SHAPES[shape].format(a=told[1], b=told[2], x=x, y=y, asserts=ASSERTS)
    return f'"""Nova-Two on MI35x.\n\n{told[0]}\n"""\n{REGISTERED}\nMODEL = "nova-labs/Nova-Two"\n\n\n{body}'


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("told", BEFORE)
def test_it_is_added_unmeasured_and_not_run(shape, told):
    found = gates(written(shape, told, "0.91", "2.6"))
    assert {m: g.threshold for m, g in found.items()} == {"accuracy": 0.91, "accept_length": 2.6}
    assert found["accuracy"].threshold_basis in ("other_harness", "placeholder")
    assert found["accept_length"].threshold_basis == "placeholder"
    assert {g.run_state for g in found.values()} == {"not_run"}
    assert {(g.evidence_value, g.evidence_run) for g in found.values()} == {(None, None)}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("told", AFTER)
def test_it_is_measured_later_and_stays_the_same_gate(shape, told):
    found = gates(written(shape, told, "0.93", "3.0"), runs={RUN: "success"})
    assert {m: (g.threshold, g.threshold_basis, g.evidence_value, g.evidence_run, g.run_state) for m, g in found.items()} == {
        "accuracy": (0.93, "measured", 0.958, RUN, "passed"),
        "accept_length": (3.0, "measured", 3.35, RUN, "passed"),
    }
    before = gates(written(shape, BEFORE[0], "0.91", "2.6"))
    assert {m: (g.gate_id, g.harness) for m, g in before.items()} == {m: (g.gate_id, g.harness) for m, g in found.items()}
