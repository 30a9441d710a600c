"""Gate files in the true shape, written for these tests."""

from __future__ import annotations

from pipelines.sources.sglang.gates import Gate, GateFile, read_gates

PATH = "test/registered/amd/accuracy/mi35x/test_nova_two_eval_mi35x.py"
RUN = "38500112233"
REGISTERED = 'register_amd_ci(est_time=5400, suite="nightly-amd-8-gpu-mi35x-nova-two", nightly=True)'


def read(text: str, *, path: str = PATH, runs: dict[str, str] | None = None, pull_request_text: str | None = None) -> GateFile:
    return read_gates(path, text, runs=runs or {}, pull_request_text=pull_request_text)


def two_gates(
    accuracy_comment: str = "", length_comment: str = "", *, docstring: str = "GSM8K on eight GPUs.", accuracy: str = "0.92", length: str = "2.9"
) -> str:
    """A file with an accuracy and an accept-length threshold, each with a comment block above it where given."""

    def block(comment: str) -> str:
        return "".join(f"# {line}\n" for line in comment.split("\n")) if comment else ""

    return f'''"""Nova-Two gate on MI35x.

{docstring}
"""
import unittest

from sglang.test.ci.ci_register import register_amd_ci

{REGISTERED}

MODEL = "nova-labs/Nova-Two-300B-A20B"

{block(accuracy_comment)}ACCURACY_THRESHOLD = {accuracy}

{block(length_comment)}ACCEPT_LENGTH_THRESHOLD = {length}


class TestNovaTwoEvalMI35x(unittest.TestCase):
    def test_gsm8k(self):
        metrics = run_eval(MODEL)
        self.assertGreaterEqual(metrics["accuracy"], ACCURACY_THRESHOLD)
        self.assertGreater(metrics["accept_length"], ACCEPT_LENGTH_THRESHOLD)
'''


def gates(text: str, **more) -> dict[str, Gate]:
    """The gates of a file by metric."""
    return {g.metric: g for g in read(text, **more).gates}


def accuracy_with(comment: str, **more) -> Gate:
    return gates(two_gates(comment), **more)["accuracy"]


def length_with(comment: str, **more) -> Gate:
    return gates(two_gates("", comment), **more)["accept_length"]
