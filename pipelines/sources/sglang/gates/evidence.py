"""What a gate rests on and whether it has run: the claims of its comments, docstrings and pull request, weighed.

The nearest text with a measurement decides; a text that says there is none decides against those farther away. What
merely names another source (a report, a peer's floor) counts only where no measurement is told anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from pipelines.sources.sglang.gates.claims import INHERITED, MEASURED, OTHER, OUTSIDE, PLACEHOLDER, Claim, claims_of
from pipelines.sources.sglang.gates.figures import run_ids
from pipelines.sources.sglang.gates.lexicon import BY_HAND, HERE, PLACEHOLDER_WORD, TROUBLE
from pipelines.sources.sglang.gates.sentences import paragraphs, sentences

_MAX_TEXT = 20_000
_FAILED_CONCLUSIONS = frozenset({"failure", "timed_out", "startup_failure"})


@dataclass(frozen=True)
class Text:
    """A piece of prose near a gate.

    `own` where it belongs to that threshold alone, `shared` where it stands above a neighbouring one; `source` is
    `comment`, `docstring` or `pull_request`.
    """

    text: str
    source: str
    own: bool = False
    shared: bool = False


@dataclass(frozen=True)
class Evidence:
    """The two facts and what they rest on."""

    threshold_basis: str = "unknown"
    run_state: str = "unknown"
    sentence: str | None = None
    value: float | None = None
    run: str | None = None
    source: str | None = None


@lru_cache(maxsize=1024)
def _pieces(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(sentences(p)) for p in paragraphs(text[:_MAX_TEXT]))


def _claims(text: Text, metric: str, threshold: float | None, family: str | None) -> list[Claim]:
    found: list[Claim] = []
    for paragraph in _pieces(text.text):
        here = [(s, claims_of(s, metric, threshold, family, own=text.own)) for s in paragraph]
        if 1 < len(paragraph) <= 4 and not any(c.value is not None for _, cs in here for c in cs):
            joined = claims_of(" ".join(paragraph), metric, threshold, family, own=text.own)
            whole = tuple(c for c in joined if c.basis == MEASURED and c.value is not None and c.runs)
            if whole and not any(c.basis == PLACEHOLDER or c.state == "not_run" for _, cs in here for c in cs):
                here = [(whole[0].sentence, whole)]
        found += [_with_run(c, paragraph) for _, cs in here for c in cs]
    if text.shared:
        found = [c for c in found if metric in c.metrics or c.plural]
    if text.source == "pull_request":
        found = [c for c in found if c.basis == MEASURED or (c.state == "not_run" and HERE.search(c.sentence))]
    return found


def _with_run(claim: Claim, paragraph: tuple[str, ...]) -> Claim:
    """A measurement whose run stands in the sentence behind it (`Measured 0.951. Run 38411223344.`) has that run."""
    if claim.basis not in (MEASURED, OUTSIDE) or claim.runs or claim.sentence not in paragraph or BY_HAND.search(claim.sentence):
        return claim
    at = paragraph.index(claim.sentence)
    for other in (*paragraph[at + 1 : at + 2], *paragraph[max(at - 1, 0) : at]):
        if (runs := run_ids(other)) and not TROUBLE.search(other):
            joined = f"{claim.sentence} {other}" if paragraph.index(other) > at else f"{other} {claim.sentence}"
            return replace(claim, sentence=joined, runs=runs, basis=MEASURED, state=claim.state or "run")
    return claim


def weigh(
    texts: list[Text],
    metric: str,
    threshold: float | None,
    operator: str | None,
    *,
    family: str | None,
    runs: Mapping[str, str],
    env_default: bool,
) -> Evidence:
    """The evidence for a threshold from texts near to far.

    `runs` holds conclusions of CI runs by id; a run whose conclusion is not known has merely run.
    """
    told = [(t, _claims(t, metric, threshold, family)) for t in texts]
    decided = _decisive(told)
    if decided is None:
        return Evidence(PLACEHOLDER if env_default else "unknown")
    text, claim = decided
    basis = PLACEHOLDER if claim.basis in (INHERITED, None) else claim.basis
    state = claim.state or "unknown"
    if basis == MEASURED:
        state = _concluded(claim, state, threshold, operator, runs)
    elif any(c.state == "not_run" for _, cs in told for c in cs):
        state = "not_run"
    value = claim.value if basis in (MEASURED, OUTSIDE) else None
    return Evidence(basis, state, claim.sentence, value, claim.runs[0] if claim.runs else None, text.source)


def _decisive(told: list[tuple[Text, list[Claim]]]) -> tuple[Text, Claim] | None:
    weaker: tuple[Text, Claim] | None = None
    for i, (text, claims) in enumerate(told):
        if measured := _measurements(claims):
            return _fuller(text, measured[0], told[i + 1 :])
        lacking = [c for c in claims if c.basis == PLACEHOLDER]
        taken = sorted((c for c in claims if c.basis in (OTHER, INHERITED)), key=lambda c: c.basis != OTHER)
        if lacking and weaker is None:
            named = next((c for c in lacking if PLACEHOLDER_WORD.search(c.sentence)), None)
            return text, named or next((c for c in taken if c.basis == OTHER), lacking[0])
        if taken and (weaker is None or (taken[0].basis == OTHER and weaker[1].basis == INHERITED)):
            weaker = (text, taken[0])
    if weaker is None:
        weaker = next(((t, c) for t, cs in told for c in cs if c.state == "not_run"), None)
    return weaker


def _measurements(claims: list[Claim]) -> list[Claim]:
    """Those claims that tell a measurement, the fullest first."""
    return sorted((c for c in claims if c.basis in (MEASURED, OUTSIDE)), key=lambda c: (c.basis != MEASURED, c.value is None, not c.runs))


def _fuller(text: Text, claim: Claim, farther: list[tuple[Text, list[Claim]]]) -> tuple[Text, Claim]:
    """A measurement, or where it names no run the same one as a text farther away tells it with its run."""
    if not claim.runs:
        for other, claims in farther:
            for c in _measurements(claims):
                if c.runs and (claim.value is None or c.value == claim.value):
                    return other, c
    return text, claim


def _concluded(claim: Claim, told: str, threshold: float | None, operator: str | None, runs: Mapping[str, str]) -> str:
    """The run's conclusion where it is known, unless the value told beside it says otherwise for this threshold.

    A workflow fails when any of its jobs does, so a failed run whose value clears the threshold has merely run; a
    successful one whose value misses it passed under another threshold.
    """
    conclusion = next((runs[r] for r in claim.runs if r in runs), None)
    clears = _clears(claim.value, threshold, operator)
    if conclusion == "success":
        return "run" if clears is False else "passed"
    if conclusion in _FAILED_CONCLUSIONS:
        return "run" if clears else "failed"
    if conclusion is not None:
        return "run"
    return "run" if told == "passed" and clears is False else told


def _clears(value: float | None, threshold: float | None, operator: str | None) -> bool | None:
    if value is None or threshold is None:
        return None
    match operator:
        case ">":
            return value > threshold
        case "<":
            return value < threshold
        case "<=":
            return value <= threshold
    return value >= threshold
