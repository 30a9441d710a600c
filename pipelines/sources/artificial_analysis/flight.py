"""Reads the data stream of a Next.js App Router page ("React flight"); nothing in it is executed.

The page pushes string chunks; joined they are rows `<hex id>:<payload>` ended by a newline, except text and binary
rows, whose length in bytes stands before them (`29:T191d,...`) and after which the next row starts at once. A row
may span chunks. Format: React's ReactFlightClient and Next.js' use-flight-response, checked on stored pages.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pipelines.sources.base import Unreadable
from pipelines.wellformed import counted, whole_escapes

LONGEST_INTEGER = 300
LONGEST_CHAIN = 40
MOST_NODES, MOST_REFERENCES = 3_000_000, 100_000

_PUSH = re.compile(r"__next_f\s*(?:=[^;]*?)?\)?\.push\(")
_DAMAGED = re.compile(r"(?:__next_f|\.push\().*?\[\s*[0-3]\s*,\s*\"", re.DOTALL)
_HEAD = re.compile(rb"([0-9a-f]*):")
_SIZED = re.compile(rb"([TAOoUSsLlGgMmVb])([0-9a-f]{1,8}),")
_TEXT_KINDS = (b"T",)
_REFERRED = re.compile(rb'"\$[L@]?([0-9a-f]+)"')
_REFERENCE = re.compile(r"\$[L@]?([0-9a-f]+)((?::[^:]*)*)")
_ELEMENT_PARTS = {"type": 1, "key": 2, "props": 3}


class _Absent:
    """What `$undefined` and a reference that leads nowhere stand for."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Any = _Absent()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        twice = next(k for k, _ in pairs if sum(k == other for other, _ in pairs) > 1)
        raise Unreadable(f"An object states {twice!r:.60} twice, which no serialiser writes: the bytes are damaged.")
    return made


def _integer(text: str) -> int | float:
    return int(text) if len(text) <= LONGEST_INTEGER else math.inf


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=_integer)


def decode_json(text: str) -> Any:
    """JSON that may hold NaN and numbers too large to be finite, which read as such.

    Raises Unreadable for anything else, for an object that states a key twice, and for nesting too deep to follow.
    """
    try:
        return _DECODER.decode(whole_escapes(text))
    except RecursionError as why:
        raise Unreadable("The data nests too deeply to be read.") from why
    except ValueError as why:
        raise Unreadable(f"The data is no whole JSON ({why}).") from why


def pushed_chunks(script: str) -> list[bytes]:
    """The pieces of the stream that one inline script pushes; empty where it pushes none of it.

    Raises Unreadable where it speaks of the stream but cannot be read.
    """
    chunks = []
    position = 0
    while found := _PUSH.search(script, position):
        try:
            pushed, position = _DECODER.raw_decode(script, found.end())
        except (ValueError, RecursionError) as why:
            raise Unreadable(f"A chunk of the page's data is damaged ({why}).") from why
        chunks.append(_chunk(pushed))
    if position == 0 and _DAMAGED.search(script):
        raise Unreadable("A script of the page that should hold a chunk of its data is damaged.")
    return [c for c in chunks if c]


def _chunk(pushed: Any) -> bytes:
    """Kind 0 starts the stream, 1 is text, 2 a form's state, 3 bytes in base 64."""
    match pushed:
        case [0] | [2, _]:
            return b""
        case [1, str() as text]:
            return _utf8(text)
        case [3, str() as text]:
            try:
                return base64.b64decode(text, validate=True)
            except (binascii.Error, ValueError) as why:
                raise Unreadable("A binary chunk of the page's data is damaged.") from why
    raise Unreadable("A chunk of the page's data is of a kind never seen.")


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def _decoded(data: bytes) -> str:
    """Text of UTF-8 bytes; characters that were cut in two between chunks are put together again."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        try:
            return data.decode("utf-8", "surrogatepass").encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeError as why:
            raise Unreadable("The page's data is no UTF-8 text.") from why


@dataclass
class Flight:
    """A decoded stream: by row id the JSON values, and the texts; other rows (imports, hints) are left out.

    `referred` are the rows that another one refers to.
    """

    rows: dict[str, Any] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    referred: set[str] = field(default_factory=set)
    _open: set[str] = field(default_factory=set)
    _nodes: int = 0
    _references: int = 0

    def target(self, text: str) -> Any:
        """What a string of the stream means: itself, a value elsewhere in it (not resolved further), or ABSENT."""
        for _ in range(LONGEST_CHAIN):
            value, is_final = self._meaning(text)
            if is_final or not isinstance(value, str):
                return value
            text = value
        return ABSENT

    def _meaning(self, text: str) -> tuple[Any, bool]:
        """A value, and whether it is meant as it stands."""
        if not text.startswith("$") or text == "$":
            return text, True
        if text.startswith(("$$", "$D")):
            return (text[1:] if text[1] == "$" else text[2:]), True
        if re.fullmatch(r"\$n-?\d+", text):
            return _integer(text[2:]), True
        if text in ("$NaN", "$Infinity", "$-Infinity"):
            return math.nan, True
        if text == "$-0":
            return 0, True
        found = _REFERENCE.fullmatch(text)
        if not found:
            return ABSENT, True
        return self._row_part(found[1], [p for p in found[2].split(":") if p])

    def _row_part(self, row: str, path: list[str]) -> tuple[Any, bool]:
        if row in self.texts:
            return (ABSENT if path else self.texts[row]), True
        value = self.rows.get(row, ABSENT)
        for key in path:
            value = _member(self.target(value) if isinstance(value, str) else value, key)
        return value, value is ABSENT

    def plain(self, value: Any) -> Any:
        """A value with everything resolved: absent members left out of objects, absent items None in arrays.

        A value that contains itself is absent there. Raises Unreadable where references blow the data up beyond measure.
        """
        if isinstance(value, str):
            return self._resolved(value)
        if not isinstance(value, dict | list):
            return value
        self.count(value)
        if isinstance(value, list):
            return [None if (item := self.plain(v)) is ABSENT else item for v in value]
        return self._plain_object(value)

    def count(self, value: dict[str, Any] | list[Any]) -> None:
        """Count an object or array that is being resolved.

        Raises Unreadable where they are beyond measure.
        """
        self._nodes += 1 + len(value)
        if self._nodes > MOST_NODES or self._references > MOST_REFERENCES:
            raise Unreadable("The page's data refers to itself without end.")

    def _plain_object(self, value: dict[str, Any]) -> dict[str, Any]:
        made = {}
        for key, member in value.items():
            kind = type(member)
            if kind is dict or kind is list or (kind is str and member[:1] == "$"):
                member = self.plain(member)
            if member is not ABSENT:
                made[key] = member
        return made

    def _resolved(self, text: str) -> Any:
        if not text.startswith("$"):
            return text
        value = self.target(text)
        if not isinstance(value, dict | list):
            return value
        if text in self._open:
            return ABSENT
        self._references += 1
        self._open.add(text)
        try:
            return self.plain(value)
        finally:
            self._open.discard(text)


def _member(value: Any, key: str) -> Any:
    if isinstance(value, dict):
        return value.get(key, ABSENT)
    if isinstance(value, list):
        is_element = value[:1] == ["$"] and len(value) >= 4
        place = _ELEMENT_PARTS.get(key) if is_element and key in _ELEMENT_PARTS else counted(key)
        if place is not None and place < len(value):
            return value[place]
    return ABSENT


def read_flight(chunks: Iterable[bytes]) -> Flight:
    """Decode a stream.

    Raises Unreadable where it is cut short, where a row is damaged, or where bytes follow that are no row.
    """
    stream = b"".join(chunks)
    flight = Flight()
    position = 0
    while position < len(stream):
        head = _HEAD.match(stream, position)
        if not head:
            raise Unreadable(f"The page's data is damaged {position} bytes in: no row starts where one should.")
        row = head[1].decode()
        sized = _SIZED.match(stream, head.end())
        if sized:
            position = sized.end() + int(sized[2], 16)
            if position > len(stream):
                raise Unreadable("The page's data is cut short within a text.")
            if sized[1] in _TEXT_KINDS:
                flight.texts[row] = _decoded(stream[sized.end() : position])
            continue
        end = stream.find(b"\n", head.end())
        end = len(stream) if end < 0 else end
        payload = stream[head.end() : end]
        if re.match(rb'[\[{"\d-]|true|false|null', payload):
            flight.rows[row] = decode_json(_decoded(payload))
            flight.referred |= {found.decode() for found in _REFERRED.findall(payload)} - {row}
        position = end + 1
    return flight
