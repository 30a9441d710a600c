"""Numbers, dates and flags as a page writes them: read for sure, or refused.

Artificial Analysis writes English: a comma groups thousands, a point is decimal. What could be read in two ways
("1,5", "150m", "0,123") is refused.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

MISSING = frozenset({"", "-", "–", "—", "n/a", "na", "null", "none", "tbd", "coming soon", "not available"})
LONGEST_TEXT = 60

_QUALIFIERS = {"~": "about", "≈": "about", "about": "about", "approximately": "about", "up to": "up_to", "≤": "up_to", "<=": "up_to"}
_POWERS_OF_TEN = {"k": 3, "K": 3, "M": 6, "B": 9, "T": 12, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_NUMBER = re.compile(
    r"(?P<qualifier>~|≈|≤|<=|about |approximately |up to )?\s*"
    r"(?P<sign>[-−])?\$?"
    r"(?P<digits>[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|[1-9]\d{0,2}(?:[ \u00a0\u2009\u202f]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"(?P<exponent>[eE][+-]?\d{1,3})?"
    r"\s*(?P<suffix>k|K|M|B|T|thousand|million|billion|trillion)?"
)
_ISO_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DAY_FORMATS = ("%Y-%m-%d", "%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%d %b %Y")


class Unsure(ValueError):
    """A value is there, but what it means is not sure."""


@dataclass(frozen=True)
class Figure:
    """A number and how it is stated: `exact`, `about` or `up_to`."""

    value: float
    qualifier: str = "exact"


def read_figure(raw: Any) -> Figure | None:
    """A stated figure; None where it is missing.

    Raises Unsure for anything that is not one finite number.
    """
    if _is_missing(raw):
        return None
    if isinstance(raw, int | float) and not isinstance(raw, bool):
        return Figure(_finite(raw))
    found = _NUMBER.fullmatch(raw.strip()) if isinstance(raw, str) and len(raw) <= LONGEST_TEXT else None
    if not found:
        raise Unsure(f"{raw!r:.80} is no number that can be read for sure")
    digits = Decimal(re.sub(r"[,\s]", "", found["digits"]) + (found["exponent"] or ""))
    value = float(digits.scaleb(_POWERS_OF_TEN.get(found["suffix"] or "", 0)))
    return Figure(_finite(-value if found["sign"] else value), _QUALIFIERS.get((found["qualifier"] or "").strip(), "exact"))


def read_number(raw: Any) -> float | None:
    """An exactly stated number; None where it is missing.

    Raises Unsure.
    """
    if type(raw) is float or type(raw) is int:
        return _finite(raw)
    figure = read_figure(raw)
    if figure is not None and figure.qualifier != "exact":
        raise Unsure(f"{raw!r:.80} is not stated exactly")
    return figure.value if figure else None


def are_read(values: Iterable[Any]) -> bool:
    """Whether values are what `read_number` makes of them: finite floats, or missing."""
    stated = [v for v in values if v is not None]
    return {float}.issuperset(map(type, stated)) and all(map(math.isfinite, stated))


def read_whole(raw: Any) -> int | None:
    """A whole number; None where it is missing.

    Raises Unsure, for fractions too.
    """
    value = read_number(raw)
    if value is None:
        return None
    if not value.is_integer() or abs(value) >= 2**63:
        raise Unsure(f"{raw!r:.80} is no whole number")
    return int(value)


def read_ratio(raw: Any) -> float | None:
    """A share from 0 to 1, or a text in percent; None where it is missing.

    Raises Unsure, also for numbers above 1, which could be percent.
    """
    if isinstance(raw, str) and raw.rstrip().endswith("%"):
        value = read_number(raw.rstrip()[:-1])
        value = None if value is None else value / 100
    else:
        value = read_number(raw)
    if value is not None and value > 1:
        raise Unsure(f"{raw!r:.80} is no share of 1")
    return value


def read_flag(raw: Any) -> bool | None:
    """True or false; None where it is missing.

    Raises Unsure.
    """
    if isinstance(raw, bool):
        return raw
    if _is_missing(raw):
        return None
    known = {"true": True, "false": False, "yes": True, "no": False}.get(raw.strip().lower()) if isinstance(raw, str) else None
    if known is None:
        raise Unsure(f"{raw!r:.80} is neither true nor false")
    return known


def read_date(raw: Any) -> dt.date | None:
    """A day, from a date or a time in ISO 8601 or a date in English words; None where it is missing.

    Raises Unsure, for months without a day too.
    """
    if _is_missing(raw):
        return None
    text = raw.strip() if isinstance(raw, str) else ""
    if _ISO_DAY.fullmatch(text):
        with contextlib.suppress(ValueError):
            return dt.date.fromisoformat(text)
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:?\d{2})?", text):
        text = text[:10]
    for form in _DAY_FORMATS:
        try:
            return dt.datetime.strptime(text, form).date()
        except ValueError:
            continue
    raise Unsure(f"{raw!r:.80} is no day")


def read_text(raw: Any) -> str | None:
    """A text without surrounding space; None where it is missing.

    Raises Unsure for anything but text.
    """
    if _is_missing(raw):
        return None
    if not isinstance(raw, str):
        raise Unsure(f"{raw!r:.80} is no text")
    return " ".join(raw.split())


def _is_missing(raw: Any) -> bool:
    return raw is None or (isinstance(raw, str) and raw.strip().lower() in MISSING)


def _finite(value: float) -> float:
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise Unsure(f"{value!r:.80} is no finite number")
    return number
