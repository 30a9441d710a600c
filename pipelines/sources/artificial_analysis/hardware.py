"""Systems and who configures them, in one set of names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipelines import names

EVALUATOR = "Artificial Analysis"

_COUNTS = (
    re.compile(r"\A(?P<count>\d{1,5})\s*[x×]\s+", re.IGNORECASE),
    re.compile(r"\s+[x×]\s*(?P<count>\d{1,5})\Z", re.IGNORECASE),
    re.compile(r"\s*[(,]\s*(?P<count>\d{1,5})\s*x?\s*(?:GPUs?|accelerators?|chips?)\b\)?", re.IGNORECASE),
)
_ASIDE = re.compile(r"\s*\([^()]*\)")
_MAKER = re.compile(r"(?:(?:nvidia|amd|google|intel|instinct|hgx|dgx)\s+)+", re.IGNORECASE)
_RACK = re.compile(r"\bnvl ?\d+\b|\brack\b", re.IGNORECASE)
_BY = re.compile(r"(?:configured|configuration|tuned|submitted|supplied|provided) by (.+?)(?:[.,;(]|$)", re.IGNORECASE)


@dataclass(frozen=True)
class System:
    """A system as the source names it, and what is known of it.

    `accelerators` is the count its name states; `is_known` says whether the accelerator is in the reference.
    `key` stays the same while its name is only written otherwise; a rack is another system than loose nodes of the
    same accelerator.
    """

    name: str
    accelerator: str | None
    vendor: str | None
    accelerators: int | None
    key: str
    is_known: bool


def read_system(system: str | None, accelerator: str | None) -> System | None:
    """A system from its name, its accelerator's name, or both; None without either."""
    name = system or accelerator
    if name is None:
        return None
    known = next((a for text in (accelerator, system) if text and (a := _known(text))), None)
    label = known.name if known else accelerator
    is_rack = any(_RACK.search(text) for text in (system, accelerator) if text)
    key = names.fold(label or _bare(name)) + (" rack" if is_rack else "")
    return System(name, label, known.vendor if known else None, _count(name), key, known is not None)


def _known(text: str) -> names.Accelerator | None:
    """The accelerator a text names exactly, its count, its maker and an aside in brackets left off where need be."""
    bare = _bare(text)
    candidates = (text, bare, _MAKER.sub("", bare, count=1))
    return next((found for candidate in candidates if (found := names.accelerator(candidate))), None)


def _bare(text: str) -> str:
    for count in _COUNTS:
        text = count.sub("", text, count=1)
    return _ASIDE.sub("", text).strip()


def _count(text: str) -> int | None:
    """The count a system's name states; None where it states none or two."""
    stated = {int(found["count"]) for pattern in _COUNTS for found in pattern.finditer(text)}
    return stated.pop() if len(stated) == 1 else None


def who(text: str | None) -> str | None:
    """A party's name from a name or from words such as `Configured by NVIDIA, run and verified by …`; one name for the evaluator."""
    if text is None:
        return None
    found = _BY.search(text)
    name = _ASIDE.sub("", found[1] if found else text).strip()
    return EVALUATOR if names.fold(name) in ("aa", "artificial-analysis", "artificialanalysis") else name


def provenance_of(configured_by: str | None) -> str:
    """A configuration that a vendor supplied is `vendor_submitted` (run and verified by the evaluator)."""
    return "evaluator_measured" if configured_by in (None, EVALUATOR) else "vendor_submitted"
