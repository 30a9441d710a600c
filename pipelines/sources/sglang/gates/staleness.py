"""Evidence that is older than the way of measuring."""

from __future__ import annotations

import re

from pipelines.sources.sglang.gates.model import Gate

_AGAIN = re.compile(r"\b(?:re-?(?:measured|ran|run|validated|confirmed|scored|checked)|again|reproduced|repeated)\b", re.IGNORECASE)


def carry_staleness(history: list[Gate]) -> list[bool]:
    """For each state of one gate, oldest first, whether its evidence is stale.

    Evidence is stale while the harness differs from the one it first stood beside, until new evidence appears: another
    value or run, words of measuring again, or, where neither value nor run is told, another sentence.
    """
    stale: list[bool] = []
    harness: str | None = None
    for i, gate in enumerate(history):
        if gate.evidence is None:
            harness = None
        elif harness is None or _is_new(history[i - 1], gate):
            harness = gate.harness
        stale.append(harness is not None and harness != gate.harness)
    return stale


def is_stale(previous: Gate, current: Gate) -> bool:
    """Whether the evidence of a gate is stale, given the state before it (whose own `evidence_stale` is carried on).

    With only one state before, a harness that is put back does not make stale evidence good again; `carry_staleness`
    over the whole history does.
    """
    if current.evidence is None or previous.evidence is None or _is_new(previous, current):
        return False
    return previous.evidence_stale or previous.harness != current.harness


def _is_new(before: Gate, now: Gate) -> bool:
    if before.evidence is None or now.evidence is None:
        return True
    if (before.evidence_value, before.evidence_run) != (now.evidence_value, now.evidence_run):
        return True
    if now.evidence_value is None and now.evidence_run is None:
        return before.evidence != now.evidence
    return bool(_AGAIN.search(now.evidence)) and not _AGAIN.search(before.evidence)
