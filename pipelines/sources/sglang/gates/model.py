"""What a gate file says: its gates, and what could not be read."""

from __future__ import annotations

from dataclasses import dataclass, field

ACCURACY, ACCEPT_LENGTH, ACCEPT_RATE = "accuracy", "accept_length", "accept_rate"
LOWER_IS_BETTER = frozenset({"latency", "ttft", "tpot", "itl"})


@dataclass(frozen=True)
class Gate:
    """One metric that one test class compares with a threshold, as a file stands at a commit.

    `threshold` is a share from 0 to 1 for accuracies and tokens for accept length, None where the file does not give
    a number; `threshold_text` is the threshold as written. `threshold_basis` (what the threshold rests on) and
    `run_state` (whether the gate has run) are two facts; `evidence` is the sentence behind them, `evidence_value` the
    first measured value it states and `evidence_run` the CI run it names. `evidence_source` says where the sentence
    stands: `comment`, `docstring`, `pull_request`. `harness` is a hash of how the gate measures.
    """

    gate_id: str
    model: str | None
    test_class: str | None
    name: str | None
    metric: str
    dataset: str | None
    threshold: float | None
    threshold_text: str
    threshold_source: str
    operator: str | None
    threshold_basis: str
    run_state: str
    harness: str
    evidence: str | None = None
    evidence_value: float | None = None
    evidence_run: str | None = None
    evidence_source: str | None = None
    evidence_stale: bool = False
    suite: str | None = None
    nightly: bool | None = None
    disabled_reason: str | None = None
    accelerator: str | None = None
    vendor: str | None = None
    variant: str | None = None


@dataclass(frozen=True)
class GateFile:
    """The gates of one file at one commit.

    `readable` is False where the file is no Python this reader can parse: then the file says nothing, and what was
    known of its gates should stand. `problems` are sentences on what was left out or kept raw; `run_ids` are the CI
    runs that the evidence rests on, whose conclusions are worth fetching.
    """

    path: str
    gates: list[Gate] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    run_ids: set[str] = field(default_factory=set)
    readable: bool = True
