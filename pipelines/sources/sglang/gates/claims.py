"""What a sentence says of a threshold: measured here, measured elsewhere, nothing yet; run, passed, failed, not run.

A sentence is read clause by clause. A value counts as measured where a word of measuring stands in its clause (or its
sentence, or the sentence names a run) and is neither denied ("has not been measured") nor put off ("until the first
green nightly") nor a rule ("measured - 0.05"), and where it is neither reported by others nor of another maker's or
another family's machine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pipelines.sources.sglang.gates.figures import Figure, figures, measured_value, metrics_named, run_ids
from pipelines.sources.sglang.gates.lexicon import (
    AMD_CHIP,
    BY_HAND,
    CONDITIONAL,
    COPIED,
    CUE,
    DENIED,
    FAIL,
    HERE,
    IDLE,
    IN_CI,
    LACK,
    MEASURING,
    NEVER_MEASURED,
    NOT_MEASURED,
    NOT_RUN,
    OF_A_PEER,
    OTHER_MAKER,
    PASS,
    PLURAL,
    PULL_SUBJECT,
    PUT_OFF,
    REPORTED,
    RESULT,
    ROCM_RELEASE,
    RULE,
    SETTLED,
    SUBJECT,
    TAKEN_OVER,
    THRESHOLD_WORD,
    TROUBLE,
    WAITING,
)
from pipelines.sources.sglang.gates.machines import denies_of_others, is_measured_on_others, is_of_others, names_own
from pipelines.sources.sglang.gates.model import ACCEPT_LENGTH, ACCURACY
from pipelines.sources.sglang.gates.sentences import clauses

MEASURED, OUTSIDE, OTHER, PLACEHOLDER, INHERITED = "measured", "measured_outside_ci", "other_harness", "placeholder", "inherited"
_BESIDE = 45  # characters around a figure in which it is attributed to somebody


@dataclass(frozen=True)
class Claim:
    """What one sentence says. `basis` or `state` may be None; `metrics` are those it names (empty: any)."""

    sentence: str
    basis: str | None = None
    state: str | None = None
    value: float | None = None
    runs: tuple[str, ...] = ()
    metrics: frozenset[str] = frozenset()

    @property
    def plural(self) -> bool:
        """Whether the sentence speaks of several thresholds."""
        return bool(PLURAL.search(self.sentence))


@lru_cache(maxsize=8192)
def claims_of(sentence: str, metric: str, threshold: float | None, family: str | None, *, own: bool) -> tuple[Claim, ...]:
    """What a sentence says of the threshold of a metric, on machines of a family (`mi35`).

    `own`: the sentence stands in a comment of that threshold alone.
    """
    return _Sentence(sentence, metric, threshold, family, own).claims()


@dataclass(frozen=True)
class _Sentence:
    """A sentence, read for one threshold."""

    text: str
    metric: str
    threshold: float | None
    family: str | None
    own: bool

    @cached_property
    def runs(self) -> tuple[str, ...]:
        return run_ids(self.text)

    @cached_property
    def pieces(self) -> list[str]:
        """Clauses without rules ("measured - 0.05") and what is settled ("no longer a placeholder")."""
        return _merged(clauses(SETTLED.sub(" ", RULE.sub(" ", self.text))))

    @cached_property
    def lacking(self) -> list[str]:
        """Clauses that say that something has not been measured or run on these machines."""
        return [p for p in self.pieces if self._lacks(p) and not denies_of_others(p, self.family)]

    @cached_property
    def speaking(self) -> list[str]:
        return [p for p in self.pieces if p not in self.lacking]

    def claims(self) -> tuple[Claim, ...]:
        measured = self._measured()
        found = [measured, self._nothing(), None if measured else self._of_others()]
        return tuple(c for c in found if c is not None)

    def _lacks(self, piece: str) -> bool:
        if NOT_MEASURED.search(piece) or NOT_RUN.search(piece):
            return True
        return bool(LACK.search(piece)) and (self.own or bool(SUBJECT.search(piece)))

    def _concerns(self, text: str) -> bool:
        named = metrics_named(text)
        return not named or self.metric in named

    def _nothing(self) -> Claim | None:
        """That there is no measurement, or no run."""
        here = [p for p in self.lacking if self._concerns(p)]
        if not here:
            return None
        never = any(NOT_RUN.search(p) or NEVER_MEASURED.search(p) or (NOT_MEASURED.search(p) and HERE.search(p)) for p in here)
        only_not_run = all(NOT_RUN.search(p) and not LACK.search(p) and not NOT_MEASURED.search(p) for p in here)
        metrics = frozenset().union(*(metrics_named(p) for p in here))
        return Claim(self.text, None if only_not_run else PLACEHOLDER, "not_run" if never else None, metrics=metrics)

    def _of_others(self) -> Claim | None:
        """That the threshold rests on a figure of others, or on another gate's threshold."""
        said = " ".join(self.speaking)
        if not self._concerns(said):
            return None
        tells_figure = bool(figures(said)) or bool(RESULT.search(said))
        if tells_figure and (REPORTED.search(said) or (_has_real_cue(said) and is_of_others(said, self.family))):
            return Claim(self.text, OTHER, metrics=metrics_named(said))
        return Claim(self.text, INHERITED, metrics=metrics_named(said)) if TAKEN_OVER.search(said) else None

    def _measured(self) -> Claim | None:
        if self.text.endswith("?") or (not self.runs and (CONDITIONAL.match(self.text) or COPIED.search(self.text))):
            return None
        cued = [p for p in self.speaking if _has_real_cue(p)]
        if not cued and (not self.runs or WAITING.search(self.text) or any(CUE.search(p) for p in self.pieces)):
            return None
        for piece in sorted(self.speaking, key=lambda p: p not in cued):
            figure = measured_value(piece, self.metric, self.threshold, stands_alone=self.own)
            if figure is None or self._is_second_hand(figure) or (not self.runs and (TAKEN_OVER.search(piece) or OF_A_PEER.search(figure.before))):
                continue
            place = piece if piece in cued or not cued else f"{piece}, {cued[0]}"
            basis = OTHER if is_measured_on_others(figure, self.family) else self._basis(place)
            if basis == OTHER:
                return Claim(self.text, OTHER, metrics=frozenset({self.metric}))
            return Claim(self.text, basis, _verdict(self.text, basis), figure.value, self.runs, frozenset({self.metric}))
        return self._measured_without_value(cued)

    def _is_second_hand(self, figure: Figure) -> bool:
        """Whether a figure is attributed to others: `0.95 reported upstream`, `NVIDIA's 0.95`, `0.95 on H200`."""
        before, after = figure.before[-_BESIDE:], figure.after[:_BESIDE]
        if OTHER_MAKER.search(f"{before} {after}") and not AMD_CHIP.search(f"{before} {after}"):
            return True
        if self.runs:
            return bool(re.search(r"\bupstream\b", after) or re.search(r"\bupstream('s)?[\s:=]*$", before))
        behind = re.match(r"[\w\s%().'-]{0,30}", after)
        return bool(REPORTED.search(behind[0] if behind else "") or REPORTED.search(before))

    def _basis(self, place: str) -> str:
        if is_of_others(place, self.family):
            return OTHER
        if self.runs:
            return MEASURED
        if BY_HAND.search(self.text) or PULL_SUBJECT.search(place):
            return OUTSIDE
        return MEASURED if names_own(self.text, self.family) or IN_CI.search(self.text) or ROCM_RELEASE.search(self.text) else OUTSIDE

    def _measured_without_value(self, cued: list[str]) -> Claim | None:
        """A sentence that says a threshold was measured and does not say how much; it needs a run or a machine to count."""
        for piece in cued:
            if not self.own and not (MEASURING.search(piece) and THRESHOLD_WORD.search(piece)):
                continue
            others = (m for m in (ACCURACY, ACCEPT_LENGTH) if m != self.metric)
            if not self._concerns(piece) or any(measured_value(piece, m, None, stands_alone=True) for m in others):
                continue
            basis = self._basis(piece)
            placed = self.runs or (MEASURING.search(piece) and names_own(self.text, self.family))
            if placed and basis != OTHER and not REPORTED.search(piece):
                return Claim(self.text, basis, _verdict(self.text, basis), None, self.runs, metrics_named(piece))
        if self.own and self.runs and not cued and not TROUBLE.search(self.text) and self._concerns(self.text):
            return Claim(self.text, MEASURED, "run", None, self.runs, metrics_named(self.text))
        return None


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
    if pending and merged:
        merged[-1] += ", " + pending
    elif pending:
        merged.append(pending)
    return merged


def _is_real(match: re.Match[str]) -> bool:
    """Whether what a pattern found is neither denied nor put off by what stands before it."""
    before = match.string[: match.start()]
    return not DENIED.search(before) and not PUT_OFF.search(before)


def _has_real_cue(piece: str) -> bool:
    return any(_is_real(m) for m in CUE.finditer(piece))


def _verdict(sentence: str, basis: str) -> str | None:
    """Whether the sentence itself says that the gate passed or failed; else that it ran, where it was measured in CI."""
    if basis != MEASURED:
        return None
    for piece in clauses(sentence):
        if IDLE.search(piece):
            continue
        for pattern, state in ((FAIL, "failed"), (PASS, "passed")):
            if any(_is_real(m) for m in pattern.finditer(piece)):
                return state
    return "run"
