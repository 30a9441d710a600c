"""The ways in which a threshold is written in a gate file."""

from __future__ import annotations

import textwrap

import pytest

from tests.unit.sglang.gates.files import REGISTERED, gates, read, two_gates


def gate_file(body: str) -> str:
    return f'"""Nova-Two GSM8K gate on MI35x."""\nimport os\nimport unittest\nfrom dataclasses import dataclass\n\n{REGISTERED}\n\n' + textwrap.dedent(body)


def only(body: str):
    (gate,) = read(gate_file(body)).gates
    return gate


TEST = """

class TestNova(unittest.TestCase):
    def test_gsm8k(self):
        self.assertGreaterEqual(run_eval()["accuracy"], LIMIT)
"""


@pytest.mark.parametrize(
    "name",
    [
        "ACCURACY_THRESHOLD",
        "BASELINE_ACCURACY",
        "GSM8K_THRESHOLD",
        "GSM8K_MTP_ACCURACY_THRESHOLD",
        "MIN_SCORE",
        "EXPECTED_ACCURACY",
        "ACC_FLOOR",
        "THRESHOLD",
        "kGsm8kMinAccuracy",
    ],
)
def test_a_constant_of_any_name_is_a_gate(name):
    gate = only(f"{name} = 0.92\n" + TEST.replace("LIMIT", name))
    assert (gate.name, gate.metric, gate.threshold, gate.threshold_text, gate.operator) == (name, "accuracy", 0.92, "0.92", ">=")
    assert (gate.test_class, gate.dataset, gate.threshold_source) == ("TestNova", "gsm8k", "literal")


def test_a_constant_that_only_its_assert_shows_to_be_a_threshold_is_one():
    gate = only("WE_WANT = 0.92\n" + TEST.replace("LIMIT", "WE_WANT"))
    assert (gate.name, gate.metric, gate.threshold) == ("WE_WANT", "accuracy", 0.92)


def test_several_constants_of_a_file_are_several_gates():
    found = gates(two_gates())
    assert {m: (g.threshold, g.operator) for m, g in found.items()} == {"accuracy": (0.92, ">="), "accept_length": (2.9, ">")}


def test_time_limits_tolerances_and_sizes_are_no_gates():
    gate = only(
        "SERVER_LAUNCH_TIMEOUT = 5400\nACCURACY_TOLERANCE = 0.02\nNUM_QUESTIONS_THRESHOLD_SIZE = 10\nSEED = 42\nBASELINE_PATH = 'x.json'\n"
        "ACCURACY_THRESHOLD = 0.92\n" + TEST.replace("LIMIT", "ACCURACY_THRESHOLD")
    )
    assert gate.name == "ACCURACY_THRESHOLD"


def test_entries_of_a_list_are_gates_and_the_default_of_their_class_is_none():
    found = read(
        gate_file("""
        @dataclass
        class ModelConfig:
            model_path: str
            tp_size: int = 8
            accuracy_threshold: float = 0.50
            timeout: int | None = None

        MODELS = [
            ModelConfig(model_path="nova-labs/nova-20b", accuracy_threshold=0.47),
            ModelConfig(model_path="nova-labs/nova-120b", accuracy_threshold=0.79, timeout=900),
        ]

        class TestNova(unittest.TestCase):
            @classmethod
            def setUpClass(cls):
                cls.models = MODELS

            def test_gsm8k(self):
                for config in self.models:
                    passed = run(config) >= config.accuracy_threshold
        """)
    )
    assert [(g.model, g.threshold, g.test_class) for g in found.gates] == [("nova-labs/nova-20b", 0.47, "TestNova"), ("nova-labs/nova-120b", 0.79, "TestNova")]
    assert found.problems == []


@pytest.mark.parametrize(
    "settings",
    [
        "@dataclass\nclass Case:\n    model: str\n    tp: int = 8\n    accuracy_threshold: float = 0.5\n",
        "class Case(NamedTuple):\n    model: str\n    tp: int\n    accuracy_threshold: float = 0.5\n",
        "class Case:\n    accuracy_threshold = 0.5\n    def __init__(self, model, tp, accuracy_threshold=0.5):\n        pass\n",
    ],
)
def test_arguments_given_by_position_are_read_by_the_order_of_the_fields(settings):
    gate = only(settings + 'CASES = [Case("nova-labs/nova-20b", 4, 0.47)]\n' + TEST.replace("LIMIT", "CASES[0].accuracy_threshold"))
    assert (gate.model, gate.threshold) == ("nova-labs/nova-20b", 0.47)


def test_an_entry_that_leaves_its_threshold_to_the_default_is_told():
    found = read(gate_file('@dataclass\nclass Case:\n    model: str\n    accuracy_threshold: float = 0.5\nCASES = [Case(model="nova-labs/nova-20b")]\n'))
    assert found.gates == []
    assert "accuracy_threshold" in found.problems[0]


def test_a_keyword_argument_is_a_gate_with_the_data_set_beside_it():
    gate = only("""
        MODEL = "nova-labs/Nova-Two"

        class TestNova(unittest.TestCase):
            def test_nova(self):
                run_combined_tests(models=variants, accuracy_params=AccuracyTestParams(dataset="mmlu_pro", baseline_accuracy=0.81, num_threads=64))
    """)
    assert (gate.name, gate.dataset, gate.threshold, gate.model, gate.operator) == ("baseline_accuracy", "mmlu_pro", 0.81, "nova-labs/Nova-Two", None)


def test_class_attributes_are_gates_of_the_class():
    found = gates(
        gate_file("""
        class TestNova(GSM8KMixin):
            model = "nova-labs/Nova-Two"
            mem_fraction_static = 0.8
            gsm8k_accuracy_thres = 0.935
            gsm8k_accept_length_thres = 5.0
        """)
    )
    assert {m: g.threshold for m, g in found.items()} == {"accuracy": 0.935, "accept_length": 5.0}
    assert {g.test_class for g in found.values()} == {"TestNova"}
    assert {g.model for g in found.values()} == {"nova-labs/Nova-Two"}


def test_attributes_set_while_the_class_is_set_up_are_gates():
    gate = only("""
        class TestNova(unittest.TestCase):
            @classmethod
            def setUpClass(cls):
                cls.accuracy_threshold = 0.90

            def test_gsm8k(self):
                self.assertGreaterEqual(acc, self.accuracy_threshold)
    """)
    assert (gate.threshold, gate.operator, gate.name) == (0.9, ">=", "accuracy_threshold")


@pytest.mark.parametrize(
    "written",
    [
        'float(os.environ.get("GSM8K_ACCURACY_THRESHOLD", "0.79"))',
        'float(os.environ.get("T", 0.79))',
        'float(os.getenv("T", "0.79"))',
        'float(os.environ.get("T") or "0.79")',
        'float(os.environ["T"]) if "T" in os.environ else 0.79',
        'get_env_float("T", 0.79)',
        'float(os.environ.get("T", default="0.79"))',
    ],
)
def test_the_default_of_an_environment_variable_is_a_placeholder(written):
    gate = only(f"ACCURACY_THRESHOLD = {written}\n" + TEST.replace("LIMIT", "ACCURACY_THRESHOLD"))
    assert (gate.threshold, gate.threshold_text, gate.threshold_source, gate.threshold_basis) == (0.79, written, "env_default", "placeholder")


def test_it_is_none_where_a_measurement_stands_beside_it():
    gate = only(
        '# Measured 0.83 on MI355X, run 38500112233.\nACCURACY_THRESHOLD = float(os.environ.get("T", "0.79"))\n' + TEST.replace("LIMIT", "ACCURACY_THRESHOLD")
    )
    assert gate.threshold_basis == "measured"


def test_a_dict_from_models_to_thresholds_is_a_gate_each():
    found = read(
        gate_file("""
        MODEL_SCORE_THRESHOLDS = {
            # 5% below the reported scores
            "nova-labs/nova-8b": 0.80,  # 84.5% - 5%
            "nova-labs/nova-70b": 0.89,
        }

        class TestNova(unittest.TestCase):
            def test_gsm8k(self):
                threshold = MODEL_SCORE_THRESHOLDS.get(model)
                if score >= threshold:
                    pass
        """)
    )
    assert [(g.model, g.threshold, g.operator, g.threshold_basis) for g in found.gates] == [
        ("nova-labs/nova-8b", 0.80, ">=", "other_harness"),
        ("nova-labs/nova-70b", 0.89, ">=", "other_harness"),
    ]


def test_dicts_within_dicts_are_read_by_what_their_keys_are():
    found = read(gate_file('THRESHOLDS = {"nova-labs/nova-8b": {"gsm8k": 0.8, "mmlu": 0.7, "accept_length": 2.5}}\n'))
    assert [(g.model, g.dataset, g.metric, g.threshold) for g in found.gates] == [
        ("nova-labs/nova-8b", "gsm8k", "accuracy", 0.8),
        ("nova-labs/nova-8b", "mmlu", "accuracy", 0.7),
        ("nova-labs/nova-8b", "gsm8k", "accept_length", 2.5),
    ]


def test_a_list_of_dicts_is_read_like_a_list_of_calls():
    found = read(
        gate_file(
            'MODELS = [{"model_path": "nova-labs/nova-8b", "accuracy_threshold": 0.3}, {"model_path": "nova-labs/nova-9b", "accuracy_threshold": 0.33}]\n'
        )
    )
    assert [(g.model, g.threshold) for g in found.gates] == [("nova-labs/nova-8b", 0.3), ("nova-labs/nova-9b", 0.33)]


@pytest.mark.parametrize(
    "use",
    [
        "        for model, accuracy_threshold in CASES:\n            self.assertGreater(run(model), accuracy_threshold)\n",
        "    @pytest.mark.parametrize('model, accuracy_threshold', CASES)\n    def test_other(self, model, accuracy_threshold):\n"
        "        assert run(model) > accuracy_threshold\n",
    ],
)
def test_rows_of_a_table_are_read_by_the_names_they_are_unpacked_to(use):
    table = 'CASES = [("nova-labs/nova-8b", 0.3), ("nova-labs/nova-9b", 0.33)]\n\n'
    found = read(gate_file(f"{table}class TestNova(unittest.TestCase):\n    def test_gsm8k(self):\n        pass\n{use}"))
    assert [(g.model, g.threshold, g.operator) for g in found.gates] == [("nova-labs/nova-8b", 0.3, ">"), ("nova-labs/nova-9b", 0.33, ">")]


@pytest.mark.parametrize(
    ("statement", "operator"),
    [
        ('self.assertGreater(metrics["accuracy"], 0.91)', ">"),
        ('self.assertGreaterEqual(metrics["accuracy"], 0.91, "too low")', ">="),
        ('self.assertLess(0.91, metrics["accuracy"])', ">"),
        ('self.assertTrue(metrics["accuracy"] >= 0.91)', ">="),
        ('assert metrics["accuracy"] > 0.91', ">"),
        ('assert 0.91 <= metrics["accuracy"]', ">="),
        ("acc = metrics['accuracy']\n        self.assertGreater(acc, 0.91)", ">"),
        ("if metrics['accuracy'] < 0.91:\n            raise AssertionError()", ">="),
        ("passed = metrics['score'] >= 0.91", ">="),
    ],
)
def test_a_number_inside_an_assert_is_a_gate(statement, operator):
    gate = only(f"class TestNova(unittest.TestCase):\n    def test_gsm8k(self):\n        {statement}\n")
    assert (gate.threshold, gate.operator, gate.metric, gate.name) == (0.91, operator, "accuracy", None)


def test_other_comparisons_are_no_gates():
    found = read(
        gate_file("""
        ACCURACY_THRESHOLD = 0.92

        class TestNova(unittest.TestCase):
            def test_gsm8k(self):
                self.assertGreater(len(scores), 3)
                self.assertGreater(out_tp, 0)
                assert all(l != INVALID for l in labels)
                if score > 1:
                    score = score / 100
                while attempts < 3:
                    break
                self.assertGreater(acc, ACCURACY_THRESHOLD)
        """)
    )
    assert [g.name for g in found.gates] == ["ACCURACY_THRESHOLD"]


def test_speed_is_a_metric_of_its_own():
    found = gates(
        gate_file("""
        ACCURACY_THRESHOLD = 0.94
        AVG_SPEC_ACCEPT_LENGTH_THRESHOLD = 2.7

        class TestNova(unittest.TestCase):
            def test_gsm8k(self):
                self.assertGreater(metrics["accuracy"], ACCURACY_THRESHOLD)
                self.assertGreater(avg_spec_accept_length, AVG_SPEC_ACCEPT_LENGTH_THRESHOLD)

            def test_speed(self):
                acc_length, speed = send_one_prompt(args)
                self.assertGreater(acc_length, AVG_SPEC_ACCEPT_LENGTH_THRESHOLD)
                self.assertGreater(speed, 55)
        """)
    )
    assert {m: g.threshold for m, g in found.items()} == {"accuracy": 0.94, "accept_length": 2.7, "speed": 55.0}


def test_a_limit_from_above_keeps_its_direction():
    gate = only("class TestNova(unittest.TestCase):\n    def test_ttft(self):\n        self.assertLess(ttft_ms, 850)\n")
    assert (gate.metric, gate.operator, gate.threshold) == ("ttft", "<", 850.0)


@pytest.mark.parametrize(
    ("written", "threshold"), [("92.0", 0.92), ("92", 0.92), ("97.65", 0.9765), ("0.9765", 0.9765), ("1.0", 1.0), (".92", 0.92), ("9.2e-1", 0.92)]
)
def test_accuracies_in_per_cent_become_shares_and_keep_their_text(written, threshold):
    gate = only(f"ACCURACY_THRESHOLD = {written}\n" + TEST.replace("LIMIT", "ACCURACY_THRESHOLD"))
    assert (gate.threshold, gate.threshold_text) == (threshold, written)


@pytest.mark.parametrize(("written", "threshold"), [("0.95 - 0.03", 0.92), ("92 / 100", 0.92), ("BASE - 0.03", 0.92)])
def test_arithmetic_on_literals_is_carried_out(written, threshold):
    gate = only(f"BASE = 0.95\nACCURACY_THRESHOLD = {written}\n" + TEST.replace("LIMIT", "ACCURACY_THRESHOLD"))
    assert (gate.threshold, gate.threshold_text, gate.threshold_source) == (threshold, written, "computed")


@pytest.mark.parametrize(
    "written",
    ["get_threshold('nova')", "round(0.957, 2)", "[0.9, 0.8][0]", "0.9 if big else 0.8", 'float(os.environ["T"])', "10 ** 9", "1 / 0", "lookup.value", "1e999"],
)
def test_a_threshold_that_is_no_literal_is_kept_raw_and_reported(written):
    found = read(gate_file(f"ACCURACY_THRESHOLD = {written}\n" + TEST.replace("LIMIT", "ACCURACY_THRESHOLD")))
    (gate,) = found.gates
    assert (gate.threshold, gate.threshold_text, gate.threshold_basis) == (None, written, "unknown")
    assert any("ACCURACY_THRESHOLD" in p and written in p for p in found.problems)


def test_an_accuracy_that_is_no_share_is_kept_raw_and_reported():
    found = read(gate_file("ACCURACY_THRESHOLD = 1319\n" + TEST.replace("LIMIT", "ACCURACY_THRESHOLD")))
    assert (found.gates[0].threshold, found.gates[0].threshold_text) == (None, "1319")
    assert "1319" in found.problems[0]


def test_two_values_under_one_name_are_no_number():
    found = read(
        gate_file(
            "if os.environ.get('CI'):\n    ACCURACY_THRESHOLD = 0.92\nelse:\n    ACCURACY_THRESHOLD = 0.9\n" + TEST.replace("LIMIT", "ACCURACY_THRESHOLD")
        )
    )
    (gate,) = found.gates
    assert (gate.threshold, gate.threshold_text) == (None, "0.92 | 0.9")
    assert found.problems


def test_the_last_of_two_plain_assignments_holds():
    assert only("ACCURACY_THRESHOLD = 0.9\nACCURACY_THRESHOLD = 0.92\n" + TEST.replace("LIMIT", "ACCURACY_THRESHOLD")).threshold == 0.92


def test_a_constant_passed_on_is_one_gate():
    gate = only("""
        MODEL = "nova-labs/Nova-Two"
        BASELINE_ACCURACY = 0.92

        class TestNova(unittest.TestCase):
            def test_nova(self):
                report(Result(model=settings.model_path, dataset="gsm8k", baseline_accuracy=BASELINE_ACCURACY))
                self.assertGreaterEqual(score, BASELINE_ACCURACY)
    """)
    assert (gate.name, gate.dataset, gate.threshold) == ("BASELINE_ACCURACY", "gsm8k", 0.92)


def test_a_constant_used_for_two_models_is_a_gate_of_each():
    entries = ", ".join(f'Case(model="{m}", accuracy_threshold=ACC_THRESHOLD)' for m in ("a/one", "b/two"))
    found = read(gate_file(f"ACC = 0.9\nACC_THRESHOLD = 0.92\nMODELS = [{entries}]\n"))
    assert [(g.model, g.threshold) for g in found.gates] == [("a/one", 0.92), ("b/two", 0.92)]


def test_a_constant_used_by_two_classes_is_a_gate_of_each():
    found = read(
        gate_file(
            "ACCURACY_THRESHOLD = 0.92\n"
            + TEST.replace("LIMIT", "ACCURACY_THRESHOLD")
            + TEST.replace("LIMIT", "ACCURACY_THRESHOLD").replace("TestNova", "TestNovaTP4")
        )
    )
    assert [g.test_class for g in found.gates] == ["TestNova", "TestNovaTP4"]
    assert len({g.gate_id for g in found.gates}) == 2


def test_settings_built_in_a_function_belong_to_the_class_that_calls_it():
    gate = only("""
        def get_models():
            return [ModelConfig(model_path="nova-labs/Nova-Two", accuracy_threshold=0.93, variant="mtp+dp")]

        class TestNova(unittest.TestCase):
            @classmethod
            def setUpClass(cls):
                cls.models = get_models()

            def test_gsm8k(self):
                pass

        class TestOther(unittest.TestCase):
            def test_nothing(self):
                pass
    """)
    assert (gate.test_class, gate.variant, gate.threshold) == ("TestNova", "mtp+dp", 0.93)


def test_the_default_of_a_parameter_is_told_and_no_gate():
    found = read(gate_file("def check(score, accuracy_threshold=0.5):\n    return score > accuracy_threshold\n"))
    assert found.gates == []
    assert "accuracy_threshold=0.5" in found.problems[0]


def test_a_threshold_that_stands_in_another_file_is_told():
    found = read(gate_file("class TestNova(Base):\n    def test_gsm8k(self):\n        self.assertGreater(acc, OTHER_ACCURACY_THRESHOLD)\n"))
    assert "OTHER_ACCURACY_THRESHOLD" in found.problems[0]


def test_a_file_without_any_threshold_says_so():
    assert read(gate_file("class TestNova(unittest.TestCase):\n    pass\n")).problems == [
        "test/registered/amd/accuracy/mi35x/test_nova_two_eval_mi35x.py: no threshold found"
    ]


@pytest.mark.parametrize(
    ("path", "name", "vendor"),
    [
        ("test/registered/amd/accuracy/mi35x/test_nova_eval_mi35x.py", "MI35x", "AMD"),
        ("test/registered/amd/accuracy/mi30x/test_nova_eval_amd.py", "MI30x", "AMD"),
        ("test/registered/amd/accuracy/mi45x/test_nova_eval_mi45x.py", "MI455X", "AMD"),
        ("test/registered/amd/test_nova_fp4.py", "MI35x", "AMD"),
    ],
)
def test_the_accelerator_is_the_one_the_path_names_or_else_the_suite(path, name, vendor):
    gate = gates(two_gates(), path=path)["accuracy"]
    assert (gate.accelerator, gate.vendor) == (name, vendor)


@pytest.mark.parametrize(
    "line",
    ['MODEL = "a/B"', 'NOVA_MODEL_PATH = os.environ.get("NOVA_MODEL_PATH", "a/B")', 'MODEL_ID: str = "a/B"', 'LOCAL_MODEL = "/data/B"\nHF_MODEL_ID = "a/B"'],
)
def test_the_model_is_the_one_the_file_names(line):
    assert only(f"{line}\nACCURACY_THRESHOLD = 0.92\n" + TEST.replace("LIMIT", "ACCURACY_THRESHOLD")).model == "a/B"


def test_two_candidates_for_the_model_are_none():
    assert only('BIG_MODEL = "a/B"\nOTHER_MODEL = "a/C"\nACCURACY_THRESHOLD = 0.92\n' + TEST.replace("LIMIT", "ACCURACY_THRESHOLD")).model is None


def test_identity_survives_a_move_another_threshold_and_other_evidence():
    before = gates(two_gates("Placeholder.", accuracy="0.90"))
    after = gates(two_gates("Measured 0.947 on MI355X, run 38500112233.", accuracy="0.92"), path="test/amd/elsewhere/test_nova_two_eval_mi35x.py")
    assert {m: g.gate_id for m, g in before.items()} == {m: g.gate_id for m, g in after.items()}
    assert len({g.gate_id for g in before.values()}) == 2


def test_identity_tells_files_classes_metrics_and_models_apart():
    entries = ('model="a/one", accuracy_threshold=0.9', 'model="b/two", accuracy_threshold=0.9', 'model="b/two", accuracy_threshold=0.8, variant="mtp"')
    text = gate_file("MODELS = [" + ", ".join(f"Case({e})" for e in entries) + "]\n")
    ids = [g.gate_id for path in ("x/test_a_mi35x.py", "x/test_b_mi35x.py") for g in read(text, path=path).gates]
    assert len(set(ids)) == 6
    assert all(len(i) == 16 for i in ids)
