"""Files that are broken, huge or mean harm: read as text or reported, never executed."""

from __future__ import annotations

import time

import pytest

from tests.unit.sglang.gates.files import gates, read, two_gates


def test_nothing_in_a_file_is_executed(tmp_path):
    target = tmp_path / "written"
    harm = f'open({str(target)!r}, "w").write("x")'
    text = f"""
import os
{harm}
os.system("touch {target}")
register_amd_ci(est_time=1, suite=({harm} or "x"), disabled=exec({harm!r}))
ACCURACY_THRESHOLD = float({harm} or 0.92)
MODEL = eval({harm!r})
THRESHOLDS = {{"a/b": {harm}, **__import__("os").environ}}

class Trap:
    def __class_getitem__(cls, item):
        {harm}

@unittest.skipIf({harm}, {harm})
class TestHarm(Trap[0], metaclass=type({harm!r})):
    accuracy_threshold: ({harm}) = {harm}

    def test_it(self, score={harm}):
        assert score > {harm}
"""
    found = read(text)
    assert found.readable
    assert found.problems
    assert not target.exists()


@pytest.mark.parametrize(
    "text",
    [
        "type Share = float\nACCURACY_THRESHOLD = 0.92\n",
        "def share[T](x: T) -> T: ...\nACCURACY_THRESHOLD = 0.92\n",
        'ACCURACY_THRESHOLD = 0.92\nprint(f"{x["score"]}")\n',
        'ACCURACY_THRESHOLD = 0.92\nprint(t"{x}")\n',
        "try:\n    pass\nexcept A, B:\n    pass\n",
        "ACCURACY_THRESHOLD = = 0.92",
        "ACCURACY_THRESHOLD = 0.92\x00",
        "ACCURACY_THRESHOLD = '\udc80'",
        "class A:\nACCURACY_THRESHOLD = 0.92",
        "x = '''",
        "<<<<<<< HEAD\nACCURACY_THRESHOLD = 0.92\n=======\n",
        "1" * 5000,
    ],
)
def test_what_cannot_be_parsed_is_reported_and_says_nothing(text):
    found = read(text)
    assert (found.readable, found.gates) == (False, [])
    assert "cannot be read as Python" in found.problems[0]
    assert "line" in found.problems[0] or "null" in found.problems[0] or "surrogates" in found.problems[0] or "EOF" in found.problems[0]


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 10_000 + ")" * 10_000,
        "x = " + "[" * 150 + "]" * 150,
        "x = " + "-" * 50_000 + "1",
        "x = " + "+".join(["1"] * 20_000),
        "x = a" + ".b" * 20_000,
        "x = " + "not " * 20_000 + "a",
        "".join("    " * i + "if a:\n" for i in range(99)) + "    " * 99 + "pass\n",
        "if a:\n    pass\n" + "elif a:\n    pass\n" * 2_000,
        "x = " + "lambda: " * 5_000 + "1",
        "x = " + "f(" * 90 + ")" * 90,
    ],
)
def test_deep_nesting_neither_hangs_nor_crashes(text):
    started = time.monotonic()
    found = read(text + "\nACCURACY_THRESHOLD = 0.92\n")
    assert time.monotonic() - started < 5
    assert found.gates or found.problems


def test_a_file_of_twenty_megabytes_is_reported_at_once():
    started = time.monotonic()
    found = read("ACCURACY_THRESHOLD = 0.92\n" + "# padding\n" * 2_000_000)
    assert time.monotonic() - started < 2
    assert not found.readable
    assert "20,000,026 characters" in found.problems[0]


@pytest.mark.parametrize(
    "filler",
    [
        "MODELS = [" + 'C(model="a/b", accuracy_threshold=0.5), ' * 2_000 + "]",
        "THRESHOLDS = {" + ", ".join(f'"a/m{i}": 0.5' for i in range(5_000)) + "}",
        '"""' + "Measured 0.947 on 8xMI355X, run 38500112233, not run yet until the first. " * 5_000 + '"""',
        '"""' + "no " * 150_000 + '"""',
        '"""' + "0.947" * 90_000 + '"""',
        '"""' + "measured - " * 40_000 + '"""',
        '"""' + "|a" * 200_000 + '"""',
        '"""' + "-" * 400_000 + '"""',
        "\n".join(f"# measured 0.9{i}" for i in range(10_000)),
        "\n".join(f"ACCURACY_THRESHOLD_{i} = ACCURACY_THRESHOLD_{i + 1}" for i in range(4_000)),
        "\n".join(f"class TestA{i}(A):\n    accuracy_threshold = 0.9" for i in range(3_000)),
        "\n".join(f"assert acc > 0.9{i}" for i in range(4_000)),
    ],
    ids=range(12),
)
def test_a_large_file_is_read_in_seconds(filler):
    started = time.monotonic()
    found = read(filler + "\nLAST_ACCURACY_THRESHOLD = 0.92\n")
    assert time.monotonic() - started < 20
    assert found.readable
    assert len(found.gates) <= 200


def test_a_long_pull_request_is_read_in_seconds():
    started = time.monotonic()
    gates(two_gates(), pull_request_text="Nova Two\n\n" + "Measured 0.947 on MI355X until the first green run, no AMD data, " * 20_000)
    assert time.monotonic() - started < 10


def test_more_thresholds_than_a_test_holds_are_cut_and_told():
    found = read("THRESHOLDS = {" + ", ".join(f'"a/m{i}": 0.5' for i in range(300)) + "}")
    assert len(found.gates) == 200
    assert any("300 thresholds" in p for p in found.problems)


@pytest.mark.parametrize(
    "change",
    [lambda t: "\ufeff" + t, lambda t: t.replace("\n", "\r\n"), lambda t: t.replace("\n", "\r"), lambda t: t + "\f\n", lambda t: t.replace("    ", "\t")],
)
def test_other_line_ends_and_marks_change_nothing(change):
    text = two_gates("Measured 0.947 on MI355X, run 38500112233.")
    assert gates(change(text)) == gates(text)


def test_other_scripts_in_comments_are_kept():
    gate = gates(two_gates("在 MI355X 上 measured 0.947 ✅ — run 38500112233 — größer als 0.92."))["accuracy"]
    assert (gate.evidence_value, gate.evidence_run) == (0.947, "38500112233")
    assert gate.evidence is not None
    assert "在 MI355X 上" in gate.evidence


def test_an_empty_file_holds_no_gate():
    found = read("")
    assert (found.readable, found.gates) == (True, [])
    assert found.problems
