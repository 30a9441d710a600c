"""Whether CI runs a gate: registered, disabled, skipped."""

from __future__ import annotations

import pytest

from tests.unit.sglang.gates.files import REGISTERED, RUN, gates, read, two_gates


def registered_as(call: str, **more):
    return gates(two_gates(**more).replace(REGISTERED, call))["accuracy"]


def test_the_suite_is_the_one_it_is_registered_in():
    gate = registered_as('register_amd_ci(est_time=5400, suite="nightly-amd-8-gpu-mi35x-x", nightly=True)')
    assert (gate.suite, gate.nightly, gate.run_state, gate.disabled_reason) == ("nightly-amd-8-gpu-mi35x-x", True, "unknown", None)


def test_arguments_may_stand_by_position():
    gate = registered_as('register_amd_ci(5400, "nightly-x", True, "flaky since the driver update")')
    assert (gate.suite, gate.nightly, gate.run_state, gate.disabled_reason) == ("nightly-x", True, "disabled", "flaky since the driver update")


def test_stage_and_runner_make_a_suite():
    gate = registered_as('register_amd_ci(est_time=60, stage="stage-c", runner_config="8-gpu-mi35x")')
    assert (gate.suite, gate.nightly) == ("stage-c-test-8-gpu-mi35x", False)


def test_a_constant_of_the_file_may_name_the_suite():
    assert registered_as('SUITE = "nightly-x"\nregister_amd_ci(est_time=60, suite=SUITE)').suite == "nightly-x"


def test_a_disabled_gate_says_why():
    gate = registered_as('register_amd_ci(est_time=60, suite="nightly-x", disabled="kernel rework")', docstring=f"Measured 0.947 on MI355X, run {RUN}.")
    assert (gate.run_state, gate.disabled_reason, gate.threshold_basis) == ("disabled", "kernel rework", "measured")


@pytest.mark.parametrize("call", ['register_amd_ci(est_time=60, suite="x", disabled=None)', 'register_amd_ci(60, "x", True, None)'])
def test_disabled_none_is_not_disabled(call):
    assert registered_as(call).run_state == "unknown"


@pytest.mark.parametrize(
    "call",
    ["", "# register_amd_ci(est_time=1, suite='x')", 'register_cuda_ci(est_time=60, suite="x")', 'if False:\n    register_amd_ci(est_time=60, suite="x")'],
)
def test_a_file_that_is_not_registered_for_amd_is_unregistered(call):
    gate = registered_as(call, docstring=f"Measured 0.947 on MI355X, run {RUN}.")
    assert (gate.run_state, gate.suite, gate.threshold_basis) == ("unregistered", None, "measured")


def test_one_running_registration_is_enough():
    gate = registered_as('register_amd_ci(est_time=60, suite="old", disabled="moved")\nregister_amd_ci(est_time=60, suite="new")')
    assert (gate.suite, gate.run_state, gate.disabled_reason) == ("new", "unknown", None)


SKIPPED = [
    '@unittest.skip("waits for a new image")',
    '@pytest.mark.skip(reason="waits for a new image")',
    '@unittest.skipIf(is_hip(), "waits for a new image")',
    '@unittest.skipIf(True, "waits for a new image")',
    '@unittest.skipUnless(is_cuda(), "waits for a new image")',
    '@unittest.skipIf(not is_cuda(), "waits for a new image")',
]
RUNNING = [
    '@unittest.skipIf(not torch.cuda.is_available(), "needs a GPU")',
    '@unittest.skipUnless(is_hip(), "only on AMD")',
    '@unittest.skipIf(is_cuda(), "not on CUDA")',
    '@unittest.skipIf(False, "never")',
    '@unittest.skipIf(is_hip() and not is_hip(), "never")',
    "@unittest.skipIf(os.environ.get('X'), 'who knows')",
]


@pytest.mark.parametrize("decorator", SKIPPED)
@pytest.mark.parametrize("where", ["class TestNovaTwoEvalMI35x", "    def test_gsm8k"])
def test_a_skip_on_amd_is_disabled_with_its_reason(decorator, where):
    indent = " " * (len(where) - len(where.lstrip()))
    found = gates(two_gates().replace(where, f"{indent}{decorator}\n{where}"))
    assert {(g.run_state, g.disabled_reason) for g in found.values()} == {("disabled", "waits for a new image")}


@pytest.mark.parametrize("decorator", RUNNING)
def test_a_skip_that_amd_does_not_meet_is_none(decorator):
    found = gates(two_gates().replace("class TestNova", f"{decorator}\nclass TestNova"))
    assert {(g.run_state, g.disabled_reason) for g in found.values()} == {("unknown", None)}


@pytest.mark.parametrize(
    "statement", ['self.skipTest("no weights")', 'raise unittest.SkipTest("no weights")', 'if is_hip():\n            self.skipTest("no weights")']
)
def test_a_test_that_skips_itself_at_once_is_disabled(statement):
    gate = gates(two_gates().replace("        metrics = run_eval(MODEL)", f"        {statement}\n        metrics = run_eval(MODEL)"))["accuracy"]
    assert (gate.run_state, gate.disabled_reason) == ("disabled", "no weights")


def test_a_test_that_skips_itself_on_a_condition_is_not():
    gate = gates(
        two_gates().replace("        metrics = run_eval(MODEL)", "        if not enough():\n            self.skipTest('no')\n        metrics = run_eval(MODEL)")
    )["accuracy"]
    assert gate.run_state == "unknown"


def test_a_skip_of_another_test_does_not_touch_the_gate():
    text = two_gates() + "\n    @unittest.skip('slow')\n    def test_speed(self):\n        self.assertGreater(speed, 55)\n"
    found = gates(text)
    assert (found["accuracy"].run_state, found["speed"].run_state) == ("unknown", "disabled")


def test_a_suite_that_is_no_text_of_the_file_is_reported():
    found = read(two_gates().replace(REGISTERED, "register_amd_ci(est_time=60, suite=pick())"))
    assert found.gates[0].suite is None
    assert found.gates[0].run_state == "unknown"
    assert any("suite" in p for p in found.problems)
