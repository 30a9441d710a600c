"""Text and JSON of sources made such that everything after can hold them.

JavaScript cuts texts between the halves of a character and writes each half as an escape of its own; no UTF-8 file,
database or feed holds half a character. As browsers do, what is half becomes U+FFFD.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

MOST_DIGITS = 300
LONGEST_COUNT = 18

# A pair of halves, a half alone, any other escape: read in this order, so that a backslash that is itself escaped escapes nothing.
_ESCAPE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.", re.DOTALL)


def whole_text(text: str) -> str:
    """A text with halves of characters put together, or U+FFFD where the other half is missing."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def whole_escapes(text: str) -> str:
    """JSON text whose escapes of halves without their other half say U+FFFD instead."""
    if "\\ud" not in text and "\\uD" not in text:
        return text
    return _ESCAPE.sub(lambda found: "\\ufffd" if found["half"] else found[0], text)


def finite_json(data: bytes) -> Any:
    """JSON in any of its encodings. What is no finite number (NaN, 1e999, hundreds of digits) is None.

    Raises ValueError where the bytes are no JSON, or nest too deeply to be read.
    """
    text = whole_escapes(data.decode(json.detect_encoding(data)))
    try:
        return json.loads(text, parse_constant=lambda _: None, parse_float=_finite, parse_int=_bounded)
    except RecursionError as why:
        raise ValueError("it nests too deeply to be read") from why


def counted(digits: str) -> int | None:
    """The whole number that digits say; None for other signs, and for more digits than any count has."""
    return int(digits) if digits.isdecimal() and len(digits) <= LONGEST_COUNT else None


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


def _bounded(text: str) -> int | None:
    return int(text) if len(text) <= MOST_DIGITS else None
