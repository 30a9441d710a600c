"""Gates as records of the table `accuracy_gates`."""

from __future__ import annotations

from typing import Any

from pipelines.schema import canonical_json
from pipelines.sources.sglang.gates.model import GateFile

_EXTRA = ("nightly", "variant", "threshold_source", "evidence_source")


def to_records(gate_file: GateFile, *, path: str, commit_sha: str, pull_request: int | None, author: str | None, source_url: str) -> list[dict[str, Any]]:
    """One record a gate, as the file stands at a commit.

    `evidence_stale` is what the gate carries (see staleness.py), NULL where there is no evidence to be stale.
    """
    return [
        {
            "gate_id": g.gate_id,
            "model": g.model,
            "path": path,
            "test_class": g.test_class,
            "name": g.name,
            "accelerator": g.accelerator,
            "vendor": g.vendor,
            "metric": g.metric,
            "dataset": g.dataset,
            "threshold": g.threshold,
            "threshold_text": g.threshold_text,
            "operator": g.operator,
            "threshold_basis": g.threshold_basis,
            "run_state": g.run_state,
            "evidence": g.evidence,
            "evidence_value": g.evidence_value,
            "evidence_run": g.evidence_run,
            "evidence_stale": g.evidence_stale if g.evidence is not None else None,
            "harness": g.harness,
            "suite": g.suite,
            "disabled_reason": g.disabled_reason,
            "commit_sha": commit_sha,
            "pull_request": pull_request,
            "author": author,
            "source": "sglang",
            "origin": "git",
            "provenance": "framework_reported",
            "source_url": source_url,
            "extra": canonical_json({k: getattr(g, k) for k in _EXTRA if getattr(g, k) is not None}),
        }
        for g in gate_file.gates
    ]
