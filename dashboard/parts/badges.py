"""Who stands behind a figure, in the same seven words everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from dashboard.parts.html import joined, tag

BY_HAND = "entered by hand"
WORDS = {
    "evaluator_measured": "measured by evaluator",
    "vendor_reported": "reported by vendor",
    "framework_reported": "framework's own",
    "interpolated": "interpolated",
    "derived": "derived here",
}
SHORT_NAMES = {"Artificial Analysis": "AA", "artificial_analysis": "AA"}


def words(row: Mapping[str, Any]) -> list[str]:
    """The badges of a row by its provenance, origin and who configured and verified it."""
    provenance = row.get("provenance")
    found = []
    if provenance == "vendor_submitted":
        by, verifier = row.get("configured_by") or row.get("vendor") or "vendor", row.get("verified_by") or "evaluator"
        found.append(f"submitted by {by}, verified by {SHORT_NAMES.get(verifier, verifier)}")
    elif provenance:
        found.append(WORDS.get(provenance, provenance))
    if row.get("origin") == "curated":
        found.append(BY_HAND)
    return found


def badges(row: Mapping[str, Any]) -> Markup:
    """The badges of a row as markup; dashed where the figure came second-hand."""
    return joined(badge(w, second_hand=w == BY_HAND) for w in words(row))


def badge(text: str, *, second_hand: bool = False) -> Markup:
    """One badge."""
    return tag('<span class="badge {}">{}</span>', "second-hand" if second_hand else "", text)
