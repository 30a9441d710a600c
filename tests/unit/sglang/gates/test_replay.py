"""Every gate file of the replay world, in commit order."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from functools import cache

import pytest

from pipelines.schema import frame
from pipelines.sources.sglang.gates import Gate, carry_staleness, read_gates, to_records
from pipelines.tables.repository import ACCURACY_GATES
from tests.shared import SHARED, needs_shared

WORLD = SHARED / "replay" / "world" / "github" / "sgl-project+sglang.json.gz"
RUNS = {"36797490320": "success", "36011039824": "success", "38411223344": "success"}


@cache
def history() -> dict[tuple[str, str, str | None], list[tuple[str, Gate]]]:
    """The states of each gate by file, metric and model, with the day of their commit."""
    world = json.loads(gzip.decompress(WORLD.read_bytes()))
    found: dict[tuple[str, str, str | None], list[tuple[str, Gate]]] = {}
    for commit in world["commits"]:
        for file in commit["files"]:
            if "amd/accuracy" not in file["filename"]:
                continue
            read = read_gates(file["filename"], world["blobs"][file["blob"]], runs=RUNS, pull_request_text=commit["message"])
            assert read.problems == []
            _, failures = frame(
                ACCURACY_GATES,
                to_records(read, path=read.path, commit_sha=commit["sha"], pull_request=commit["pr"], author=commit["author"], source_url="https://x"),
            )
            assert failures == []
            for gate in read.gates:
                found.setdefault((file["filename"].rsplit("/", 1)[-1], gate.metric, gate.model if "gpt_oss_eval" in file["filename"] else None), []).append(
                    (commit["date"][:10], gate)
                )
    return {
        key: [(day, replace(gate, evidence_stale=stale)) for (day, gate), stale in zip(states, carry_staleness([g for _, g in states]), strict=True)]
        for key, states in found.items()
    }


def states(name: str, metric: str = "accuracy", model: str | None = None) -> dict[str, Gate]:
    return dict(history()[(name, metric, model)])


@needs_shared
def test_the_muse_gate_is_added_unmeasured_and_not_run():
    accuracy = states("test_muse_spark_open_eval_mi35x.py")["2026-10-16"]
    length = states("test_muse_spark_open_eval_mi35x.py", "accept_length")["2026-10-16"]
    assert (accuracy.threshold, accuracy.threshold_basis, accuracy.run_state) == (0.9, "other_harness", "not_run")
    assert (length.threshold, length.threshold_basis, length.run_state) == (2.5, "placeholder", "not_run")
    assert accuracy.model == length.model == "meta-models/Muse-Spark-Open-816B-A42B"
    assert accuracy.suite == "nightly-amd-8-gpu-mi35x-muse-spark-open"


@needs_shared
def test_the_muse_gate_is_measured_later_and_stays_the_same_gate():
    accuracy = states("test_muse_spark_open_eval_mi35x.py")
    length = states("test_muse_spark_open_eval_mi35x.py", "accept_length")
    assert [(g.threshold, g.threshold_basis, g.evidence_value, g.evidence_run, g.run_state) for g in (accuracy["2026-11-12"], length["2026-11-12"])] == [
        (0.92, "measured", 0.951, "38411223344", "passed"),
        (2.9, "measured", 3.10, "38411223344", "passed"),
    ]
    assert len({g.gate_id for g in accuracy.values()}) == len({g.gate_id for g in length.values()}) == 1
    assert not any(g.evidence_stale for g in (*accuracy.values(), *length.values()))


@needs_shared
def test_new_evidence_under_the_same_threshold_is_a_change():
    found = states("test_glm53_flash_eval_mi35x.py")
    assert [(g.threshold, g.threshold_basis, g.evidence_value, g.evidence_run, g.evidence_stale) for g in found.values()] == [
        (0.92, "other_harness", None, None, False),
        (0.92, "measured", 0.975, "36011039824", False),
    ]


@needs_shared
def test_evidence_older_than_its_harness_is_stale():
    found = states("test_kimi_k3_eval_mi35x.py")
    assert {day: g.evidence_stale for day, g in found.items()} == {"2026-08-20": False, "2026-09-15": True}
    assert {g.evidence_value for g in found.values()} == {0.956}


@needs_shared
def test_the_disabled_gate_says_why():
    (gate,) = states("test_minimax_m27_eval_mi35x.py").values()
    assert (gate.run_state, gate.disabled_reason, gate.threshold) == ("disabled", "kernel rework", 0.93)


@needs_shared
def test_the_default_of_a_settings_class_is_no_gate():
    found = {key[2]: [g.threshold for _, g in rows] for key, rows in history().items() if key[0] == "test_gpt_oss_eval_mi35x.py"}
    assert found == {"openai/gpt-oss-20b": [0.47], "openai/gpt-oss-120b": [0.79]}


@needs_shared
def test_the_environment_default_is_a_placeholder():
    (gate,) = states("test_gpt_oss_mxfp4_eval_mi45x.py").values()
    assert (gate.threshold, gate.threshold_basis, gate.accelerator) == (0.79, "placeholder", "MI455X")


@needs_shared
@pytest.mark.parametrize(
    ("name", "metric", "expected"),
    [
        ("test_deepseek_v41_flash_eval_mi35x.py", "accuracy", (0.89, ">", "measured", 0.911, "36797490320", "passed")),
        ("test_deepseek_r1_mxfp4_tp4_mtp_mi35x.py", "accuracy", (0.944, ">=", "unknown", None, None, "unknown")),
        ("test_qwen35_extra_buffer_mtp_mi35x.py", "accuracy", (0.93, ">=", "measured_outside_ci", 0.96, None, "unknown")),
        ("test_qwen35_extra_buffer_mtp_mi35x.py", "accept_length", (2.0, ">", "measured_outside_ci", 3.0, None, "unknown")),
        ("test_glm52_mxfp4_mtp_eval_mi35x.py", "accuracy", (0.935, None, "measured_outside_ci", 0.95, None, "unknown")),
        ("test_glm52_mxfp4_mtp_eval_mi35x.py", "accept_length", (5.0, None, "measured_outside_ci", 5.94, None, "unknown")),
    ],
)
def test_the_other_gates_read_as_their_files_say(name, metric, expected):
    (gate,) = states(name, metric).values()
    assert (gate.threshold, gate.operator, gate.threshold_basis, gate.evidence_value, gate.evidence_run, gate.run_state) == expected
