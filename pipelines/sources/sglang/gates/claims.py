"""What a sentence says of a threshold: measured here, measured elsewhere, nothing yet; run, passed, failed, not run.

A sentence is read clause by clause. A value counts as measured where a word of measuring stands in its clause (or its
sentence, or the sentence names a run) and is neither denied ("has not been measured") nor put off ("until the first
green nightly") nor a rule ("measured - 0.05"), and where it is neither reported by others nor of another maker's or
another family's machine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from pipelines.sources.sglang.gates.figures import figures, measured_value, metrics_named, run_ids
from pipelines.sources.sglang.gates.lexicon import (
    AMD_CHIP,
    BY_HAND,
    CONDITIONAL,
    CUE,
    DENIED,
    FAIL,
    FAMILIES,
    IDLE,
    IN_CI,
    LACK,
    MEASURING,
    NEVER_MEASURED,
    NOT_MEASURED,
    NOT_RUN,
    ON_AMD,
    OTHER_MAKER,
    PASS,
    PLURAL,
    PULL_SUBJECT,
    PUT_OFF,
    REPORTED,
    RULE,
    SETTLED,
    SUBJECT,
    TAKEN_OVER,
    THRESHOLD_WORD,
    WAITING,
)
from pipelines.sources.sglang.gates.model import ACCEPT_LENGTH, ACCURACY
from pipelines.sources.sglang.gates.sentences import clauses

MEASURED, OUTSIDE, OTHER, PLACEHOLDER, INHERITED = "measured", "measured_outside_ci", "other_harness", "placeholder", "inherited"


@dataclass(frozen=True)
class Claim:
    """What one sentence says. `basis` or `state` may be None; `metrics` are those it names (empty: any)."""

    sentence: str
    basis: str | None = None
    state: str | None = None
    value: float | None = None
    runs: tuple[str, ...] = ()
    metrics: frozenset[str] = frozenset()
    plural: bool = False


@lru_cache(maxsize=8192)
def claims_of(sentence: str, metric: str, threshold: float | None, family: str | None, *, own: bool) -> tuple[Claim, ...]:
    """What a sentence says of the threshold of a metric, on machines of a family (`mi35`).

    `own`: the sentence stands in a comment of that threshold alone.
    """
    ruled = SETTLED.sub(" ", RULE.sub(" ", sentence))
    pieces = _merged(clauses(ruled))
    runs = run_ids(sentence)
    lacking = [p for p in pieces if _lacks(p, own) and not _foreign_only(p, family)]
    speaking = [p for p in pieces if p not in lacking]
    found = []
    measured = _measured(speaking, pieces, sentence, metric, threshold, family, runs, own)
    if measured:
        found.append(measured)
    here = [p for p in lacking if _concerns(p, metric)]
    if here:
        never = any(NOT_RUN.search(p) or NEVER_MEASURED.search(p) for p in here)
        bare = all(NOT_RUN.search(p) and not LACK.search(p) and not NOT_MEASURED.search(p) for p in here)
        found.append(Claim(sentence, None if bare else PLACEHOLDER, "not_run" if never else None, metrics=_union(here), plural=_is_plural(sentence)))
    if not measured:
        whole = " ".join(speaking)
        if _concerns(whole, metric):
            if _elsewhere(whole, family, ruled):
                found.append(Claim(sentence, OTHER, None, None, (), metrics_named(whole), _is_plural(sentence)))
            elif TAKEN_OVER.search(whole):
                found.append(Claim(sentence, INHERITED, None, None, (), metrics_named(whole), _is_plural(sentence)))
    return tuple(found)


def _union(pieces: list[str]) -> frozenset[str]:
    return frozenset().union(*(metrics_named(p) for p in pieces))


def _is_plural(sentence: str) -> bool:
    return bool(PLURAL.search(sentence))


def _merged(pieces: list[str]) -> list[str]:
    """Clauses, each with at least one word of measuring, denial or number: mere parts of speech join their neighbour."""
    merged: list[str] = []
    pending = ""
    for piece in pieces:
        piece = f"{pending}, {piece}" if pending else piece
        if figures(piece) or run_ids(piece) or any(p.search(piece) for p in (CUE, LACK, NOT_RUN, NOT_MEASURED, TAKEN_OVER)):
            merged.append(piece)
            pending = ""
        else:
            pending = piece
    if pending:
        if merged:
            merged[-1] += ", " + pending
        else:
            merged.append(pending)
    return merged


def _lacks(piece: str, own: bool) -> bool:
    """Whether a clause says that something has not been measured or run."""
    if NOT_MEASURED.search(piece) or NOT_RUN.search(piece):
        return True
    return bool(LACK.search(piece)) and (own or bool(SUBJECT.search(piece)))


def _concerns(piece: str, metric: str) -> bool:
    named = metrics_named(piece)
    return not named or metric in named


def _foreign_only(text: str, family: str | None) -> bool:
    """Whether the text speaks of machines, none of which is of the family."""
    chips = {_family(m[1]) for m in AMD_CHIP.finditer(text)}
    if family in chips:
        return False
    return bool(chips) or (bool(OTHER_MAKER.search(text)) and not ON_AMD.search(text))


def _family(chip: str) -> str:
    chip = chip.lower()
    return next((f for start, f in FAMILIES.items() if chip.startswith(start)), chip[:4])


def _real_cue(piece: str) -> bool:
    """Whether a clause holds a word of measuring that is neither denied nor put off."""
    for match in CUE.finditer(piece):
        before = piece[: match.start()]
        if not DENIED.search(before) and not PUT_OFF.search(before):
            return True
    return False


def _measured(
    speaking: list[str], pieces: list[str], sentence: str, metric: str, threshold: float | None, family: str | None, runs: tuple[str, ...], own: bool
) -> Claim | None:
    cued = [p for p in speaking if _real_cue(p)] if runs or not CONDITIONAL.match(sentence) else []
    if not cued and (not runs or WAITING.search(sentence) or any(CUE.search(p) for p in pieces)):
        return None
    for piece in sorted(speaking, key=lambda p: p not in cued):
        figure = measured_value(piece, metric, threshold, stands_alone=own)
        if figure is None or _second_hand(figure.before, figure.after, piece, runs):
            continue
        place = piece if piece in cued or not cued else f"{piece}, {cued[0]}"
        if not runs and TAKEN_OVER.search(piece):
            continue
        basis = _basis(place, sentence, family, runs)
        if basis == OTHER:
            return Claim(sentence, OTHER, metrics=frozenset({metric}))
        return Claim(sentence, basis, _verdict(sentence, basis), figure.value, runs, frozenset({metric}))
    return _measured_without_value(cued, sentence, metric, family, runs, own)


def _second_hand(before: str, after: str, piece: str, runs: tuple[str, ...]) -> bool:
    """Whether a figure is attributed to others: `0.95 reported upstream`, `NVIDIA's 0.95`, `0.95 on H200`."""
    near = (before[-45:], after[:45])
    if any(OTHER_MAKER.search(n) for n in near) and not any(AMD_CHIP.search(n) for n in near):
        return True
    if runs:
        return bool(re.search(r"\bupstream\b", near[1]) or re.search(r"\bupstream('s)?[\s:=]*$", near[0]))
    behind = re.match(r"[\w\s%().'-]{0,30}", after)
    return bool(REPORTED.search(behind[0] if behind else "") or REPORTED.search(before[-45:]))


def _basis(place: str, sentence: str, family: str | None, runs: tuple[str, ...]) -> str:
    if _foreign_only(place, family):
        return OTHER
    if runs:
        return MEASURED
    if BY_HAND.search(sentence) or PULL_SUBJECT.search(place):
        return OUTSIDE
    own_chip = any(_family(m[1]) == family for m in AMD_CHIP.finditer(sentence))
    return MEASURED if own_chip or IN_CI.search(sentence) or re.search(r"\brocm\s?\d+", sentence, re.IGNORECASE) else OUTSIDE


def _measured_without_value(cued: list[str], sentence: str, metric: str, family: str | None, runs: tuple[str, ...], own: bool) -> Claim | None:
    """A sentence that says a threshold was measured and does not say how much; it needs a run or a machine to count."""
    for piece in cued:
        if not own and not (MEASURING.search(piece) and THRESHOLD_WORD.search(piece)):
            continue
        if not _concerns(piece, metric) or any(measured_value(piece, m, None, stands_alone=True) for m in (ACCURACY, ACCEPT_LENGTH) if m != metric):
            continue
        basis = _basis(piece, sentence, family, runs)
        told = runs or (MEASURING.search(piece) and any(_family(m[1]) == family for m in AMD_CHIP.finditer(sentence)))
        if told and basis != OTHER and not REPORTED.search(piece):
            return Claim(sentence, basis, _verdict(sentence, basis), None, runs, metrics_named(piece), _is_plural(sentence))
    if own and runs and not cued and _concerns(sentence, metric):
        return Claim(sentence, MEASURED, "run", None, runs, metrics_named(sentence), _is_plural(sentence))
    return None


def _verdict(sentence: str, basis: str) -> str | None:
    """Whether the sentence itself says that the gate passed or failed; else that it ran, where it was measured in CI."""
    if basis != MEASURED:
        return None
    for piece in clauses(sentence):
        if IDLE.search(piece):
            continue
        for pattern, state in ((FAIL, "failed"), (PASS, "passed")):
            if any(not DENIED.search(piece[: m.start()]) and not PUT_OFF.search(piece[: m.start()]) for m in pattern.finditer(piece)):
                return state
    return "run"


def _elsewhere(text: str, family: str | None, sentence: str) -> bool:
    """Whether the text rests the threshold on a figure of others: reported, published, or of other machines."""
    if not figures(text) and not re.search(r"\b(?:scores?|results?|figures?|numbers?|accurac\w+|card)\b", text, re.IGNORECASE):
        return False
    if REPORTED.search(text):
        return True
    return _real_cue(sentence) and _foreign_only(text, family)
