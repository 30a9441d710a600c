"""What a sentence near a threshold says about it, in many wordings."""

from __future__ import annotations

import pytest

from tests.unit.sglang.gates.files import RUN, accuracy_with, gates, length_with, read, two_gates

URL = f"https://github.com/sgl-project/sglang/actions/runs/{RUN}"

MEASURED_IN_CI = [
    (f"Measured 0.947 on 8xMI355X, run {RUN}.", 0.947),
    (f"Measured 0.947 on 8xMI355X, run {RUN}; the floor sits 0.03 under it.", 0.947),
    (f"Nightly run {RUN} scored 0.947 over the full split.", 0.947),
    (f"Scored 94.7% on MI355X ({URL}).", 0.947),
    (f"Scored 94.7 % on MI355X in run {RUN}", 0.947),
    (f"GSM8K 94.7 percent on MI350X, Actions run {RUN}, 1319 questions.", 0.947),
    (f"0.947 measured on gfx950 in {RUN}", 0.947),
    (f"Accuracy 0.947, accept length 3.21, both from {URL}/job/94922675583", 0.947),
    (f"Run {RUN} on 8xMI355X came in at 0.947, 0.027 above this floor.", 0.947),
    (f"Run {RUN}: accuracy=0.947 threshold=0.92 PASS", 0.947),
    (f"PASS 0.947 >= 0.92 in run {RUN}", 0.947),
    (f"Calibrated from run {RUN}: 0.947 minus 0.027.", 0.947),
    (f"Mean of ten runs 0.947, sd 0.007, last one {RUN}.", 0.947),
    (f"Re-measured at .947 in run {RUN} (was 0.931 on the old image).", 0.947),
    (f"1249/1319 correct on 8xMI355X in run {RUN}", 1249 / 1319),
    (f"0.947 (1249/1319) on the rocm10 image, 312 s weight load, 473 s eval, run {RUN}", 0.947),
    (f"Temperature 1.0, top_p 0.95: scored 0.947 in run {RUN}.", 0.947),
    (f"Confirmed by the first green nightly ({RUN}): 0.947.", 0.947),
    (f"No longer a placeholder: measured 0.947 on MI355X, run {RUN}.", 0.947),
    (f"The measured value is 0.947 (run {RUN}), so the CUDA floor of 0.92 is kept.", 0.947),
    (f"Measured 0.947 on MI355X in run {RUN}, above the 0.93 reported upstream.", 0.947),
    (f"CUDA graphs off. Measured 0.947 on MI355X, run {RUN}.", 0.947),
    (f"Measured 0.947 on 8xMI355X.\nRun {RUN}.", 0.947),
    (f"Accuracy: 0.947.\nRun {RUN} on 8xMI355X.", 0.947),
    (f"MI355X nightly, run id {RUN}, 0.947", 0.947),
    (f"Green on MI355X: 0.947 with 0.2% unparsable, run {RUN}.", 0.947),
    (f"Seen at 0.947 with TP8 EP8 on ROCm 7.2 (run #{RUN})", 0.947),
    (f"Set 0.027 below the 0.947 measured on MI355X in run {RUN}.", 0.947),
    (f"Hardware run {RUN} on 8x MI355X gave 94.7%; keeping 2.7 points of headroom.", 0.947),
    (f"Three nightlies averaged 0.947 (latest: {RUN}).", 0.947),
    (f"The 2026-11-12 nightly ({RUN}) reached 0.947.", 0.947),
    (f"Observed: 0.947. Source: actions/runs/{RUN}. Margin: 0.027.", 0.947),
    (f"Replaces the placeholder 0.90: run {RUN} measured 0.947.", 0.947),
    (f"Based on the 0.947 that run {RUN} returned on an MI355X node.", 0.947),
    (f"Verified on MI355X in {RUN} with an accuracy of 0.947, no crash in five runs.", 0.947),
    (f"AMD's first measurement (run {RUN}) put it at 0.947.", 0.947),
    (f"0.947 on MI355X (0.951 on MI300X), run {RUN}", 0.947),
]


@pytest.mark.parametrize(("sentence", "value"), MEASURED_IN_CI)
def test_a_value_with_its_run_is_a_measurement(sentence, value):
    gate = accuracy_with(sentence)
    assert (gate.threshold_basis, gate.evidence_run) == ("measured", RUN)
    assert gate.evidence_value == pytest.approx(value, abs=1e-12)
    assert gate.run_state in ("run", "passed")


MEASURED_LENGTHS = [
    (f"Measured 3.21 on 8xMI355X, run {RUN}.", 3.21),
    (f"Accept length 3.21 in run {RUN}.", 3.21),
    (f"{URL} reports an acceptance length of 3.21 on MI355X.", 3.21),
    (f"Averaged 3.21 accepted tokens per step on MI355X (run {RUN}).", 3.21),
    (f"EAGLE 3/1/4 measures ~3.2 on MI355X, run {RUN}", 3.2),
    (f"Accuracy 0.947 and accept length 3.21 on 8xMI355X, run {RUN}.", 3.21),
    (f"0.947 accuracy, 3.21 accept length, run {RUN} on ROCm 7.2", 3.21),
    (f"Accept rate 0.74, accept length 3.21 (run {RUN}, MI350X).", 3.21),
    (f"Run {RUN} came out at 3.21; 0.3 tokens of room.", 3.21),
    (f"accept length 3 on 8xMI355X in run {RUN}", 3.0),
    (f"Run {RUN} accepted 3.21 tokens per step on MI355X.", 3.21),
    (f"Average acceptance 3.21 in run {RUN}.", 3.21),
    (f"3.21 on 8xMI355X in {RUN}", 3.21),
]


@pytest.mark.parametrize(("sentence", "value"), MEASURED_LENGTHS)
def test_an_accept_length_is_told_from_the_other_numbers_of_its_sentence(sentence, value):
    gate = length_with(sentence)
    assert (gate.threshold_basis, gate.evidence_value, gate.evidence_run) == ("measured", value, RUN)


MEASURED_WITHOUT_RUN = [
    "First green run on 8xMI355X scored 0.947 against 0.92.",
    "The first MI355X nightly came back at 0.947.",
    "Measured 0.947 on 8xMI355X.",
    "0.947 measured on MI350X with rocm724.",
    "The nightly CI job landed at 0.947.",
]


@pytest.mark.parametrize("sentence", MEASURED_WITHOUT_RUN)
def test_a_value_of_these_machines_without_a_run_is_a_measurement_too(sentence):
    gate = accuracy_with(sentence)
    assert (gate.threshold_basis, gate.evidence_value, gate.evidence_run) == ("measured", 0.947, None)


OUTSIDE_CI = [
    "Checked by hand on MI355X: 0.947.",
    "Locally validated on MI350X: 0.947 over five runs.",
    "Measured 0.947 manually on a dev box with MI355X.",
    "#29781 measured 0.947.",
    "0.947 was measured in #29781 on MI355X.",
    "Scores about 0.947 on this harness.",
    "AMD measures 0.947 on this checkpoint.",
    "Measured offline: 0.947 on MI355X.",
    "The W4A8 checkpoint measures ~0.947 on this host.",
    "Set from a hand run on MI355X: 0.947.",
    "Bench box result: 0.947, not in CI.",
    "0.947 measured outside CI on MI350X",
]


@pytest.mark.parametrize("sentence", OUTSIDE_CI)
def test_a_value_from_outside_ci_is_told_apart(sentence):
    gate = accuracy_with(sentence)
    assert (gate.threshold_basis, gate.evidence_value) == ("measured_outside_ci", 0.947)
    assert gate.run_state in ("unknown", "not_run")


ELSEWHERE = [
    "Threshold follows the 0.95 reported upstream minus 0.03.",
    "0.92 follows the measured-minus-0.05 convention from 97.65% reported in #36607.",
    "The model card reports 94.7 on GSM8K, and this allows 2 points.",
    "Published score is 0.95; 0.03 of slack.",
    "5% below the official 97.0% score.",
    "The cookbook's CUDA cells measure 97.1 to 97.7%; floor set 0.05 below.",
    "Measured 0.951 on 8xH200.",
    "Measured 0.951 on GB300, run 38500112233.",
    "NVIDIA's nightly scored 0.951.",
    "Measured 0.973 on MI300X only.",
    "Per the tech report, 0.95.",
    "Upstream claims 95%, less a margin of 3 points.",
    "Derived from Meta's reported 0.95 with a 0.03 margin.",
    "Measured with lm-eval by Meta at 0.95 on H100.",
    "The MI300X gate measured 0.95; MI355X follows.",
    "Value pulled from the blog post (0.953 measured on MI355X by AMD).",
    "Follows the reported 0.95. Tighten after the first green nightly.",
    f"Run {RUN} on B300 measured 0.95.",
]


@pytest.mark.parametrize("sentence", ELSEWHERE)
def test_a_figure_of_others_or_of_other_machines_is_another_harness(sentence):
    gate = accuracy_with(sentence)
    assert (gate.threshold_basis, gate.evidence_value, gate.evidence_run) == ("other_harness", None, None)
    assert gate.run_state != "passed"


NO_MEASUREMENT = [
    "Placeholder.",
    "Placeholder: no AMD measurement behind this value yet, confirm against the first green nightly.",
    "No AMD measurement behind it.",
    "This floor has not been measured on MI35x.",
    "Hasn't been measured yet.",
    "Never measured on this hardware.",
    "Unmeasured on AMD.",
    "Unvalidated on MI355X.",
    "TBD",
    "TBD after the first nightly.",
    "TODO: replace with a measured value.",
    "To be confirmed once the first green nightly lands.",
    "Provisional until the first green nightly.",
    "Stand-in until MI355X numbers exist.",
    "A guess; tighten once a nightly run tells more.",
    "Inherited from the CUDA floor.",
    "Inherited from the CUDA gate, unvalidated here.",
    "Copied from the TP8 peer.",
    "Copied over from the TP=8 peer, which has 0.92.",
    "Mirrors the MI30x sibling's floor (0.92).",
    "Same floor as the B200 gate.",
    "Matches the existing AMD family.",
    "There is no measured baseline for MI355X yet.",
    "Pending the first run.",
    "Awaiting MI355X numbers.",
    "Starting point, to be tightened.",
    "Rough estimate for now.",
    "Nothing has been measured here so far.",
    "A conservative value without any measurement on AMD.",
    "Will be measured by the first nightly.",
    "Confirm against the first green nightly before trusting 0.92.",
    "Not validated on MI355X yet.",
    "Expect roughly 0.95 here, yet to be measured.",
    "Waits on a measurement: no numbers from MI355X so far.",
    "Value from the B300 gate; AMD has not produced a number.",
    "Nobody has measured this on AMD.",
    "This is not based on a measurement.",
    "Untuned default; first green nightly decides.",
    "Default floor, not yet tightened to an MI355X result.",
    "TP8 peer measured 0.953 on MI355X, copied with the same floor.",
    "An MI355X number is not there yet.",
    "Never got a number out of MI355X.",
    "Neither accuracy nor accept length was measured on MI355X.",
    "Measured value to follow.",
    "Temporary value.",
    "AMD numbers are missing.",
]


@pytest.mark.parametrize("sentence", NO_MEASUREMENT)
def test_a_denied_or_postponed_measurement_is_none(sentence):
    gate = accuracy_with(sentence)
    assert (gate.threshold_basis, gate.evidence_value, gate.evidence_run) == ("placeholder", None, None)
    assert gate.evidence == sentence
    assert gate.run_state in ("not_run", "unknown")


NOT_RUN = [
    "Not run on hardware yet.",
    "Not yet run on MI35x.",
    "This gate has not been executed.",
    "It hasn't run in the nightly so far.",
    "Has never been dispatched.",
    "Never run on MI355X.",
    "Yet to be run on MI355X.",
    "No MI355X run yet.",
    "Untested on MI355X hardware.",
    "Awaiting its first nightly run.",
    "Placeholder until the first green nightly.",
    "No AMD measurement behind this value yet.",
    "Confirm against the first green nightly.",
    "Follows the 0.95 reported upstream; has yet to be exercised on MI35x.",
    "Copied from the TP8 peer and not scheduled so far.",
]


@pytest.mark.parametrize("sentence", NOT_RUN)
def test_text_that_says_it_has_not_run_makes_the_state_not_run(sentence):
    gate = accuracy_with(sentence)
    assert gate.run_state == "not_run"
    assert gate.threshold_basis in ("placeholder", "other_harness")


@pytest.mark.parametrize("sentence", NOT_RUN)
def test_it_does_so_from_the_docstring_for_every_gate_of_the_file(sentence):
    found = gates(two_gates(docstring=sentence))
    assert {g.run_state for g in found.values()} == {"not_run"}


UNPROVEN = [
    "Do not read this as measured on AMD.",
    "If the MI355X nightly scores 0.95, raise this to 0.92.",
    "Should land around 0.95 on MI355X.",
    "We expect 0.95 on MI355X.",
    "Target for MI355X: 0.95.",
    "The first MI355X run crashed before scoring.",
    f"Run {RUN} crashed, no score.",
    "Is this measured on MI355X? Not that I know.",
    "See #40610 for the measured value.",
    "0.95 measured minus 0.03 convention",
    "Simulated acceptance; not a real measurement.",
    f"GB300 run {RUN} scored 0.95; AMD pending.",
    "if this stays ~0.94 -> confirms the drop is elsewhere.",
    "A plain green CI run never executes this path, 0.92 is a gate with margin.",
]


@pytest.mark.parametrize("sentence", UNPROVEN)
def test_words_of_measuring_alone_make_no_measurement(sentence):
    gate = accuracy_with(sentence)
    assert gate.threshold_basis not in ("measured", "measured_outside_ci")
    assert (gate.evidence_value, gate.evidence_run) == (None, None)
    assert gate.run_state not in ("passed", "run")


NOTHING = [
    "GSM8K over the full split.",
    "Greedy decoding, five shots.",
    "The server needs 40 GB per GPU and 312 s to load.",
    "This recipe does not run on MI300X.",
    "Lowered from 0.95 to stop flakes.",
    "`measured - 0.05` convention.",
    "Convention: 0.05 below the measured value.",
    "See run-to-run noise in the tracker.",
    "Keep in step with --mem-fraction-static 0.85.",
    "Takes about 74 minutes.",
    "Merged as #40610 and marked verified: true in the cookbook.",
]


@pytest.mark.parametrize("sentence", NOTHING)
def test_text_that_tells_no_measurement_makes_none(sentence):
    gate = accuracy_with(sentence)
    assert gate.threshold_basis == "unknown"
    assert (gate.run_state, gate.evidence_value, gate.evidence_run) == ("unknown", None, None)


def test_a_measurement_of_one_metric_says_nothing_of_the_other():
    found = gates(two_gates(docstring=f"Measured 0.947 on 8xMI355X, run {RUN}; threshold sits 0.03 under."))
    assert found["accuracy"].threshold_basis == "measured"
    assert found["accept_length"].threshold_basis == "unknown"


def test_one_sentence_may_measure_one_metric_and_leave_the_other_open():
    found = gates(two_gates(docstring=f"Accuracy measured 0.947 in run {RUN}, accept length not measured yet."))
    assert (found["accuracy"].threshold_basis, found["accuracy"].evidence_value) == ("measured", 0.947)
    assert (found["accept_length"].threshold_basis, found["accept_length"].run_state) == ("placeholder", "not_run")


def test_both_may_be_denied_at_once():
    found = gates(two_gates(docstring="Accuracy and accept length have not been measured on AMD."))
    assert {g.threshold_basis for g in found.values()} == {"placeholder"}


def test_a_threshold_own_placeholder_stands_against_a_measurement_in_the_docstring():
    found = gates(two_gates(length_comment="Placeholder: no AMD measurement yet.", docstring=f"Both thresholds measured on MI355X in run {RUN}."))
    assert (found["accuracy"].threshold_basis, found["accuracy"].evidence_run) == ("measured", RUN)
    assert found["accept_length"].threshold_basis == "placeholder"


def test_a_measurement_in_the_docstring_outweighs_where_the_number_was_taken_from():
    found = gates(two_gates("Relaxed from the CUDA gate of 0.95.", docstring=f"Measured 0.947 on MI355X, run {RUN}."))
    assert (found["accuracy"].threshold_basis, found["accuracy"].evidence_value) == ("measured", 0.947)


def test_a_run_named_in_the_docstring_belongs_to_the_same_value_in_a_comment():
    docstring = f"GSM8K 94.7% and accept length 3.21 on 8xMI355X ({URL})."
    found = gates(two_gates("0.027 below the measured 94.7%.", "Measured 3.21.", docstring=docstring))
    assert [(g.threshold_basis, g.evidence_value, g.evidence_run) for g in found.values()] == [("measured", 0.947, RUN), ("measured", 3.21, RUN)]


def test_another_value_in_the_docstring_is_another_measurement():
    found = gates(two_gates("Measured 0.931 on MI355X.", docstring=f"Run {RUN} scored 0.947 on MI355X."))["accuracy"]
    assert (found.evidence_value, found.evidence_run) == (0.931, None)


def test_that_a_test_has_not_run_holds_for_both_of_its_thresholds():
    found = gates(two_gates("Upstream reports 0.95. Has yet to run on MI35x.", "A guess."))
    assert {m: (g.threshold_basis, g.run_state) for m, g in found.items()} == {
        "accuracy": ("other_harness", "not_run"),
        "accept_length": ("placeholder", "not_run"),
    }


def test_it_does_not_where_the_other_threshold_tells_of_a_run():
    found = gates(two_gates(f"Measured 0.947 on MI355X, run {RUN}.", "No accept length measured on AMD yet."))
    assert {m: g.run_state for m, g in found.items()} == {"accuracy": "run", "accept_length": "not_run"}


TWO_MODELS = '''"""Two sizes on MI35x.

{told}
"""
register_amd_ci(est_time=1, suite="x")
MODELS = [
    C(model_path="org/nova-20b", accuracy_threshold=0.47),
    C(model_path="org/nova-120b", accuracy_threshold=0.79),
]
'''


@pytest.mark.parametrize(
    ("told", "small", "large"),
    [
        (f"nova-120b measured 0.83 on MI355X in run {RUN}.", None, 0.83),
        (f"org/nova-20b scored 0.52 and org/nova-120b 0.83 on MI355X in run {RUN}.", None, None),
        (f"Measured 0.83 on MI355X with nova-120b, run {RUN}. nova-20b measured 0.52 in run {RUN}.", 0.52, 0.83),
    ],
)
def test_what_is_told_of_one_model_is_not_taken_for_another(told, small, large):
    found = {g.model: g.evidence_value for g in read(TWO_MODELS.format(told=told)).gates}
    assert found == {"org/nova-20b": small, "org/nova-120b": large}


def test_where_no_machine_is_named_any_amd_machine_is_the_gates():
    text = two_gates(f"Measured 0.947 on MI355X, run {RUN}.").replace("mi35x", "x")
    assert gates(text, path="test/registered/amd/test_nova_fp4.py")["accuracy"].threshold_basis == "measured"


def test_the_conclusion_of_the_run_decides_whether_it_passed():
    text = two_gates(f"Measured 0.947 on 8xMI355X, run {RUN}.")
    assert gates(text)["accuracy"].run_state == "run"
    assert gates(text, runs={RUN: "success"})["accuracy"].run_state == "passed"
    assert gates(text, runs={RUN: "cancelled"})["accuracy"].run_state == "run"
    assert gates(text, runs={"11111111111": "success"})["accuracy"].run_state == "run"


def test_a_failed_run_fails_the_gate_unless_the_value_it_told_clears_the_threshold():
    assert accuracy_with(f"Measured 0.901 on 8xMI355X, run {RUN}.", runs={RUN: "failure"}).run_state == "failed"
    assert accuracy_with(f"Threshold confirmed on 8xMI355X in run {RUN}.", runs={RUN: "failure"}).run_state == "failed"
    assert accuracy_with(f"Measured 0.947 on 8xMI355X, run {RUN}.", runs={RUN: "failure"}).run_state == "run"


def test_a_successful_run_whose_value_misses_todays_threshold_has_not_passed_it():
    assert accuracy_with(f"Measured 0.901 on 8xMI355X, run {RUN}.", runs={RUN: "success"}).run_state == "run"


def test_a_sentence_may_say_itself_that_the_gate_passed_or_failed():
    assert accuracy_with("First green run on 8xMI355X scored 0.947.").run_state == "passed"
    assert accuracy_with(f"Run {RUN} failed at 0.901 on MI355X.").run_state == "failed"


def test_a_regression_told_of_in_the_abstract_is_no_failure():
    gate = accuracy_with(f"Measured 0.947 on MI355X, run {RUN}, so a failure is a regression rather than a reroll.")
    assert gate.run_state == "run"


@pytest.mark.parametrize(
    "told",
    [f"run {RUN}", f"runs {RUN} and 38500112299", URL, f"{URL}/attempts/2", f"{URL}/job/94922675583", f"run: {RUN}", f"run id {RUN}", f"Run #{RUN}", RUN],
)
def test_a_run_is_found_in_every_way_it_is_written(told):
    gate = accuracy_with(f"Measured 0.947 on MI355X ({told}).")
    assert gate.evidence_run == RUN


@pytest.mark.parametrize("other", ["snapshot eb9eb208eb0d988989d07a6a12d0fdeb5f52574a", "job/94922675583", "#36607", "123456789012345 tokens", "v0.5.16"])
def test_other_long_numbers_are_no_runs(other):
    assert accuracy_with(f"Measured 0.947 on MI355X ({other}).").evidence_run is None


def test_the_full_sentence_is_kept_over_wrapped_lines():
    gate = accuracy_with(f"Measured 0.947 on the full split with the\nlarge cell at TP4 on MI35x (rocm10, Actions run\n{RUN}). The threshold\nsits 0.02 under.")
    assert gate.evidence == f"Measured 0.947 on the full split with the large cell at TP4 on MI35x (rocm10, Actions run {RUN})."
    assert (gate.evidence_value, gate.evidence_run) == (0.947, RUN)


def test_a_trailing_comment_counts_as_the_thresholds_own():
    text = two_gates().replace("ACCURACY_THRESHOLD = 0.92\n", f"ACCURACY_THRESHOLD = 0.92  # run {RUN}: 0.947 on MI355X\n", 1)
    gate = gates(text)["accuracy"]
    assert (gate.threshold_basis, gate.evidence_value, gate.evidence_source) == ("measured", 0.947, "comment")


def test_a_comment_parted_by_a_blank_line_still_counts_for_the_file():
    text = two_gates().replace(
        "ACCURACY_THRESHOLD = 0.92\n", f"# Thresholds from run {RUN} on MI355X: accuracy 0.947, accept length 3.21.\n\nACCURACY_THRESHOLD = 0.92\n", 1
    )
    found = gates(text)
    assert (found["accuracy"].evidence_value, found["accept_length"].evidence_value) == (0.947, 3.21)


PULL = f"[AMD] Nova Two gate\n\nMeasured on MI355X: accuracy 0.947 in {URL}."


def test_a_pull_request_that_names_the_model_is_evidence():
    found = gates(two_gates(), pull_request_text=PULL)["accuracy"]
    assert (found.threshold_basis, found.evidence_value, found.evidence_run, found.evidence_source) == ("measured", 0.947, RUN, "pull_request")


def test_a_table_in_a_pull_request_is_read_by_its_header():
    table = f"| Model | TP | Accuracy | Threshold | Status |\n| --- | --- | --- | --- | --- |\n| nova-labs/Nova-Two | 8 | 0.947 | 0.92 | PASS, run {RUN} |\n"
    body = f"[AMD] gates\n\n{table}| other/Model | 8 | 0.8 | 0.7 | PASS |\n"
    found = gates(two_gates(), pull_request_text=body)["accuracy"]
    assert (found.evidence_value, found.run_state) == (0.947, "passed")


@pytest.mark.parametrize(
    "text", ["[AMD] Nova-Two-Flash gate\n\nMeasured 0.947 on MI355X.", "[AMD] many gates\n\nMeasured 0.947 on MI355X.", "Merged. Verified: true."]
)
def test_a_pull_request_on_something_else_is_none(text):
    assert gates(two_gates(), pull_request_text=text)["accuracy"].threshold_basis == "unknown"


def test_a_pull_request_may_say_that_the_gate_has_not_run():
    assert gates(two_gates(), pull_request_text="[AMD] Nova Two gate\n\nNot run on MI355X yet.")["accuracy"].run_state == "not_run"
    assert gates(two_gates(), pull_request_text="[AMD] Nova Two gate\n\nUnit tests not run.")["accuracy"].run_state == "unknown"


LISTED = [
    f"Results on 8xMI355X, run {RUN}:\n  - GSM8K: 0.947\n  - accept length: 3.21",
    f"Results (8xMI355X, run {RUN}):\n\n* accuracy 94.7%\n* accept length 3.21",
    f"run: {RUN}\naccuracy: 0.947\naccept length: 3.21",
    f"| Metric | Measured | Run |\n| --- | --- | --- |\n| accuracy | 0.947 | {RUN} |\n| accept length | 3.21 | {RUN} |",
]


@pytest.mark.parametrize("told", LISTED)
def test_values_may_stand_in_a_list_or_a_table(told):
    found = gates(two_gates(docstring=told))
    assert [(g.threshold_basis, g.evidence_value, g.evidence_run) for g in found.values()] == [("measured", 0.947, RUN), ("measured", 3.21, RUN)]


def test_a_list_under_a_denial_is_denied():
    found = gates(two_gates(docstring="Not measured on MI355X yet:\n- accuracy\n- accept length"))
    assert {(g.threshold_basis, g.run_state) for g in found.values()} == {("placeholder", "not_run")}


def test_a_merged_pull_request_is_no_pass():
    found = gates(two_gates(), pull_request_text="[AMD] Nova Two gate (merged)\n\nverified: true, all checks green.")["accuracy"]
    assert found.run_state == "unknown"
