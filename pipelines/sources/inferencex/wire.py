"""InferenceX answers as they come over the wire: JSON, and values whose types drift.

The API documents numbers and sends some of them as text ("id": "442505"); the two are told apart here, exactly:
a text that is a plain decimal number counts as that number and is reported, anything else is missing and reported.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from typing import Any

from pipelines.sources.base import Unreadable
from pipelines.wellformed import finite_json

PLAIN_NUMBER = re.compile(r"[+-]?\d{1,18}(\.\d{1,30})?([eE][+-]?\d{1,3})?")
RUN_URL = re.compile(r"/actions/runs/(\d{1,20})(?!\d)(?:/attempts/(\d{1,9})(?!\d))?")
LARGEST = 2.0**62
LONGEST_ID = 30


def decode(body: bytes, kind: type, what: str) -> Any:
    """The JSON value of an answer, of type `kind` (list or dict). What is no finite number counts as null.

    Raises Unreadable where the bytes are no such JSON.
    """
    start = body[:64].lstrip()
    if not start:
        raise Unreadable(f"{what}: the answer is empty")
    if start.startswith(b"<"):
        raise Unreadable(f"{what}: an HTML page (signing in, or an error), not JSON")
    try:
        value = finite_json(body)
    except ValueError as why:
        raise Unreadable(f"{what}: not JSON ({str(why)[:120]})") from why
    if not isinstance(value, kind):
        said = f", saying {str(value['error'])[:120]!r}" if isinstance(value, dict) and "error" in value else ""
        raise Unreadable(f"{what}: JSON of type {type(value).__name__}, not {kind.__name__}{said}")
    return value


def decode_rows(body: bytes, what: str) -> list[dict[str, Any]]:
    """An answer that is an array of objects, with an object (or nothing) under `metrics`.

    Raises Unreadable where it is not.
    """
    rows = decode(body, list, what)
    for place, row in enumerate(rows):
        if not isinstance(row, dict):
            raise Unreadable(f"{what}: element {place} of the array is {type(row).__name__}, not an object")
        if not isinstance(row.get("metrics"), dict | None):
            raise Unreadable(f"{what}: `metrics` of element {place} is {type(row['metrics']).__name__}, not an object")
    return rows


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; nothing where there is no list."""
    return [v for v in value if isinstance(v, dict)] if isinstance(value, list) else []


class Odd(Counter[str]):
    """What was odd in an answer, counted by sentence."""

    def sentences(self) -> list[str]:
        return [f"{what} ({count} {'time' if count == 1 else 'times'})" for what, count in sorted(self.items())]


def number(record: dict[str, Any], key: str, odd: Odd) -> float | None:
    """A finite number, or None where there is none."""
    value = record.get(key)
    if value is None:
        return None
    if isinstance(value, str):
        if not PLAIN_NUMBER.fullmatch(value.strip()):
            odd[f"`{key}` is a text that is no number"] += 1
            return None
        odd[f"`{key}` is a number written as text"] += 1
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
        odd[f"`{key}` is no usable number"] += 1
        return None
    return float(value)


def whole(record: dict[str, Any], key: str, odd: Odd) -> int | None:
    """A whole number, or None where there is none."""
    value = record.get(key)
    if type(value) is int and -LARGEST < value < LARGEST:
        return value
    real = number(record, key, odd)
    if real is None:
        return None
    if real != int(real):
        odd[f"`{key}` is no whole number"] += 1
        return None
    return int(real)


def flag(record: dict[str, Any], key: str, odd: Odd) -> bool | None:
    """True or false, or None where neither is said."""
    value = record.get(key)
    if value is None or isinstance(value, bool):
        return value
    said = {"true": True, "false": False}.get(value.strip().lower()) if isinstance(value, str) else None
    odd[f"`{key}` is true or false written as text" if said is not None else f"`{key}` is neither true nor false"] += 1
    return said


def text(record: dict[str, Any], key: str) -> str | None:
    """A text that is not empty; a number where a text is documented is written out."""
    value = record.get(key)
    if isinstance(value, str):
        return value.strip() or None
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def day(record: dict[str, Any], key: str, odd: Odd) -> dt.date | None:
    """The day of an ISO 8601 date or time."""
    value = record.get(key)
    try:
        return dt.date.fromisoformat(value[:10]) if value else None
    except (TypeError, ValueError):
        odd[f"`{key}` is no date"] += 1
        return None


def run_of(url: str | None) -> tuple[str | None, int]:
    """GitHub run id and attempt of a run's address; attempt 1 where none is given."""
    found = RUN_URL.search(url or "")
    return (found[1], int(found[2] or 1)) if found else (None, 1)


def age(record: dict[str, Any], key: str) -> tuple[str, int]:
    """What tells a newer record from an older: the time under `key`, then its id."""
    number_ = text(record, "id") or ""
    return text(record, key) or "", int(number_) if number_.isdecimal() and len(number_) <= LONGEST_ID else 0


def shares(records: list[dict[str, Any]], nested: str | None = None) -> dict[str, float]:
    """Share of the records that fill each key; the keys of the object `nested` by dotted path."""
    filled: Counter[str] = Counter()
    for record in records:
        filled.update(k for k, v in record.items() if v is not None)
        inner = record.get(nested) if nested else None
        if isinstance(inner, dict):
            filled.update(f"{nested}.{k}" for k, v in inner.items() if v is not None)
    for key in {k for r in records for k in r} - set(filled):
        filled[key] = 0
    return {k: n / len(records) for k, n in sorted(filled.items())}
