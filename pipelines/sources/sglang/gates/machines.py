"""Which machines a piece of prose speaks of, seen from a gate's own family (`mi35`; None where it is not known)."""

from __future__ import annotations

from pipelines.sources.sglang.gates.figures import Figure
from pipelines.sources.sglang.gates.lexicon import AMD_CHIP, FAMILIES, ON_AMD, ON_OTHER_MAKER, OTHER_MAKER


def _family(chip: str) -> str:
    chip = chip.lower()
    return next((f for start, f in FAMILIES.items() if chip.startswith(start)), chip[:4])


def _families(text: str) -> set[str]:
    return {_family(m[1]) for m in AMD_CHIP.finditer(text)}


def names_own(text: str, family: str | None) -> bool:
    """Whether the text names a machine of the family, or any AMD machine where the family is not known."""
    found = _families(text)
    return family in found or (family is None and bool(found))


def is_of_others(text: str, family: str | None) -> bool:
    """Whether the text speaks of machines, none of which is of the family."""
    if names_own(text, family):
        return False
    return bool(_families(text)) or (bool(OTHER_MAKER.search(text)) and not ON_AMD.search(text))


def denies_of_others(text: str, family: str | None) -> bool:
    """Whether a denial is one of other machines alone: `not measured on MI300X`, `not run on H200`."""
    return not names_own(text, family) and (bool(_families(text)) or bool(ON_OTHER_MAKER.search(text)))


def is_measured_on_others(figure: Figure, family: str | None) -> bool:
    """Whether the AMD machine named nearest to a figure, between the commas around it, is of another family."""
    before, after = figure.before.rsplit(", ", 1)[-1], figure.after.split(", ", 1)[0]
    near = [(len(before) - m.end(), m[1]) for m in AMD_CHIP.finditer(before)] + [(m.start(), m[1]) for m in AMD_CHIP.finditer(after)]
    return bool(near) and family is not None and _family(min(near)[1]) != family
