"""Spoils true payloads: trees of JSON, texts made of tokens, bytes. What it does is told by its random numbers alone."""

from __future__ import annotations

import copy
import json
import re
from random import Random
from typing import Any

# Texts that mean something to one reader or another: numbers in other scripts, paths, commands, markup, formulas, look-alikes.
ODD_TEXTS = (
    *(
        "",
        " ",
        "\x00",
        "a\x00b",
        "\ufeff",
        "\u202e",
        "\u2028",
        "\ud800",
        "x\udfffy",
        "\U0010ffff",
        "e\u0301" * 40,
        "\x1b[2J",
        "\r\n",
        "\\",
        '"',
        "'",
        "`",
        "\\u0000",
    ),
    *(
        "=1+1|cmd!A0",
        "+1",
        "-1",
        "@SUM(A1)",
        "'; DROP TABLE models; --",
        "$(touch x)",
        "<script>x</script>",
        "]]>",
        "<!--",
        "&amp;",
        "%s%n",
        "{0}",
        "../../etc/passwd",
    ),
    *(
        "$",
        "$$",
        "$undefined",
        "$NaN",
        "$-0",
        "$n" + "9" * 400,
        "$10",
        "$L10:props:children",
        "$11:0:0",
        "$@1",
        "$D2026-13-40",
        "$Q1",
        "$10:a:b:c",
        "$" + ":" * 50,
    ),
    *(
        "9" * 400,
        "-" + "9" * 5000,
        "1e999",
        "-1e999",
        "1e-999",
        "NaN",
        "Infinity",
        "0x10",
        "1_000",
        "1,000.5",
        "1.000,5",
        "١٢٣",
        "²",
        "Ⅷ",
        "½",
        "５０",
        "1e5",
        "08",
        "--5",
        "٪50",
        "50%",
        "1e999%",
    ),
    *("МI355Х", "GВ300", "B３００", "b200\u200b", "ｇｂ300", "MI355X\u0000", "Muse Spark Ореn", "b300 " * 200, "a" * 20_000, "н" * 5_000),
    *(
        "2026-02-30",
        "0000-00-00",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "2026-10-15T25:61:61Z",
        "+275760-09-13",
        "2026-W53-7",
        "２０２６-10-15",
    ),
    *(
        "true",
        "null",
        "None",
        "false ",
        "yes",
        "N/A",
        "—",
        "n/a",
        "tbd",
        "undefined",
        "[object Object]",
        "__proto__",
        "constructor",
        "id",
        "part",
        "valid_from",
        "dated_from",
    ),
    *(
        "https://[",
        "https://github.com/a/b/actions/runs/" + "9" * 5000 + "/attempts/" + "9" * 5000,
        "javascript:alert(1)",
        "file:///etc/passwd",
        "http://127.0.0.1:1/",
    ),
)
ODD_NUMBERS = (
    0,
    -1,
    1,
    2,
    -0.0,
    0.1,
    1e-320,
    1e308,
    -1e308,
    10**400,
    -(10**400),
    2**31,
    2**53 + 1,
    2**63,
    -(2**63) - 1,
    2**64,
    10**18,
    10**12,
    3.0000000001,
    5e-324,
)
# Written as they are, where a JSON value stands: what json.dumps does not write.
RAW = {
    "@nan@": "NaN",
    "@inf@": "-Infinity",
    "@big@": "1e999",
    "@long@": "9" * 5000,
    "@half@": '"\\ud800"',
    "@twice@": '{"id":1,"id":2}',
    "@deep@": "[" * 100_000,
    "@deep_whole@": "[" * 3000 + "]" * 3000,
    "@deep_objects@": '{"a":' * 1500 + "1" + "}" * 1500,
    "@null_byte@": "\x00",
    "@zeros@": "-0.0e-0",
}
MOST_CHARACTERS = 400_000

Path = tuple[Any, ...]


def _places(tree: Any, at: Path = ()) -> list[Path]:
    found = [at] if at else []
    members = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, member in members:
        found += _places(member, (*at, key))
    return found


class Spoiler:
    """Spoils with one source of random numbers."""

    def __init__(self, random: Random):
        self.random = random

    def odd_value(self) -> Any:
        """Some value nobody should write there."""
        kind = self.random.random()
        if kind < 0.45:
            return self.random.choice(ODD_TEXTS)
        if kind < 0.7:
            return self.random.choice(ODD_NUMBERS)
        if kind < 0.8:
            return self.random.choice(list(RAW))
        return self.random.choice(
            [None, True, False, [], {}, [[]], [{}], {"": None}, [None] * 3, {"$": "$"}, ["$", "div", None, {}], [0.5, "x"], {"a": {"b": {"c": []}}}]
        )

    def tree(self, tree: Any, most: int = 4) -> Any:
        """A copy of a tree with up to `most` members replaced, lost, doubled, moved, renamed, wrapped or multiplied."""
        spoilt = copy.deepcopy(tree)
        for _ in range(self.random.randint(0, most)):
            places = _places(spoilt)
            if not places:
                return self.odd_value()
            self._one(spoilt, self.random.choice(places), places)
        return spoilt

    def _one(self, tree: Any, place: Path, places: list[Path]) -> None:
        *way, key = place
        holder = _at(tree, tuple(way))
        value = holder[key]
        match self.random.choice(["odd", "odd", "odd", "lost", "moved", "renamed", "wrapped", "number", "many", "text"]):
            case "odd":
                holder[key] = self.odd_value()
            case "lost":
                del holder[key]
            case "moved":
                holder[key] = copy.deepcopy(_at(tree, self.random.choice(places)))
            case "renamed" if isinstance(holder, dict):
                holder[self._key(key)] = value
            case "wrapped":
                holder[key] = self.random.choice([[value], {"value": value}, {str(key): value}, [value, value], [[value]]])
            case "number" if isinstance(value, int | float) and abs(value) < 1e300:
                holder[key] = self.random.choice([-value, value * 1000, value / 1e6, str(value), f"{value}%", value + 0.5])
            case "many" if isinstance(holder, list) and len(holder) < 100:
                holder.extend(copy.deepcopy(value) for _ in range(self.random.choice([1, 1, 2, 30])))
            case "text" if isinstance(value, str):
                at = self.random.randint(0, len(value))
                holder[key] = value[:at] + self.random.choice(ODD_TEXTS) + value[at:]

    def _key(self, key: Any) -> str:
        plain = str(key)
        return self.random.choice([plain.upper(), plain + "\x00", f"{plain}.x", f" {plain}", plain + plain, self.random.choice(ODD_TEXTS)])

    def json(self, tree: Any) -> str:
        """A tree as JSON text, now and then as no serialiser writes it."""
        text = json.dumps(tree, ensure_ascii=self.random.random() < 0.5, separators=(",", ":"))
        for name, raw in RAW.items():
            text = text.replace(f'"{name}"', raw)
        return self.text(text, re.compile(r'"(?:[^"\\]|\\.)*"|[\w.+-]+|.', re.DOTALL), ODD_TEXTS) if self.random.random() < 0.1 else text

    def text(self, text: str, token: re.Pattern[str], odd: tuple[str, ...], others: tuple[str, ...] = ()) -> str:
        """A text with some tokens lost, doubled, swapped, replaced, nested, or taken from other texts."""
        pieces = token.findall(text)
        for _ in range(self.random.randint(0, 5)):
            if not pieces:
                break
            at = self.random.randrange(len(pieces))
            to = min(len(pieces), at + self.random.choice([1, 1, 1, 2, 5, 40]))
            match self.random.choice(["odd", "odd", "lost", "doubled", "moved", "nested", "other", "inserted"]):
                case "odd":
                    pieces[at] = self.random.choice(odd)
                case "lost":
                    del pieces[at:to]
                case "doubled":
                    pieces[to:to] = pieces[at:to] * self.random.choice([1, 1, 1, 50])
                case "moved":
                    other = self.random.randrange(len(pieces))
                    pieces[at], pieces[other] = pieces[other], pieces[at]
                case "nested":
                    one, two = self.random.choice(
                        [("(", ")"), ("[", "]"), ("{", "}"), ("{a:", "}"), ("-", ""), ('"', '"'), ("\n", "\n"), ("/*", "*/"), ("  ", "")]
                    )
                    depth = self.random.choice([1, 2, 12, 140, 3000])
                    pieces[at:to] = [one * depth, *pieces[at:to], two * depth]
                case "other" if others:
                    found = token.findall(self.random.choice(others))
                    start = self.random.randrange(len(found) or 1)
                    pieces[at:at] = found[start : start + self.random.choice([1, 5, 60])]
                case "inserted":
                    pieces.insert(at, self.random.choice(odd))
        return "".join(pieces)[:MOST_CHARACTERS]

    def data(self, data: bytes) -> bytes:
        """Bytes, most often left as they are, else cut, garbled, or in another encoding."""
        at, to = sorted(self.random.randrange(len(data) + 1) for _ in range(2))
        match self.random.randrange(40):
            case 0:
                return data[:at]
            case 1:
                return data[:at] + data[to:]
            case 2:
                return data[:at] + self.random.randbytes(self.random.choice([1, 1, 4, 30])) + data[at:]
            case 3:
                return data[:to] + data[at:]
            case 4:
                return data.decode("utf-8", "replace").encode(self.random.choice(["utf-16", "utf-32", "utf-8-sig", "utf-7"]), "replace")
            case 5:
                return data[:at] + self.random.choice([b"\x00", b"\xff", b"\xc3\x28", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"]) + data[at:]
        return data


def _at(tree: Any, way: Path) -> Any:
    for key in way:
        tree = tree[key]
    return tree
