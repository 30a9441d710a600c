"""Systems and who configures them, in one set of names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipelines import names

EVALUATOR = "Artificial Analysis"

_COUNT = re.compile(r"(\d{1,5})\s*[x×]\s+(?=\S)", re.IGNORECASE)
_ASIDE = re.compile(r"\s*\([^()]*\)")
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
    counted = _COUNT.match(name)
    is_rack = any(_RACK.search(text) for text in (system, accelerator) if text)
    key = " ".join((label or _bare(name)).lower().split()) + (" rack" if is_rack else "")
    return System(name, label, known.vendor if known else None, int(counted[1]) if counted else None, key, known is not None)


def _known(text: str) -> names.Accelerator | None:
    """The accelerator a text names exactly, a leading count and an aside in brackets left off where need be."""
    for candidate in (text, _COUNT.sub("", text, count=1), _bare(text)):
        if found := names.accelerator(candidate):
            return found
    return None


def _bare(text: str) -> str:
    return _ASIDE.sub("", _COUNT.sub("", text, count=1)).strip()


def who(text: str | None) -> str | None:
    """A party's name from a name or from words such as `Configured by NVIDIA, run and verified by …`."""
    if text is None:
        return None
    found = _BY.search(text)
    name = (found[1] if found else text).strip()
    return EVALUATOR if name.lower() in ("aa", "artificial analysis", "artificialanalysis") else name


def provenance_of(configured_by: str | None) -> str:
    """A configuration that a vendor supplied is `vendor_submitted` (run and verified by the evaluator)."""
    return "evaluator_measured" if configured_by in (None, EVALUATOR) else "vendor_submitted"
