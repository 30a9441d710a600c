"""Caveats beside the numbers they change, from the table of caveats."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from markupsafe import Markup

from dashboard import data
from dashboard.parts.html import joined, tag, web_link, write

Row = Mapping[str, Any]


def of(table: str, rows: Iterable[Row], as_of: dt.date | None = None) -> list[data.Row]:
    """The caveats of a table that apply to any of the rows, each once."""
    known = data.rows("SELECT * FROM caveats WHERE table_name = ? ORDER BY text", [table], as_of) if data.has("caveats") else []
    rows = list(rows)
    found = {c["text"]: c for c in known if any(applies(c, r) for r in rows)}
    return list(found.values())


def applies(caveat: Row, row: Row) -> bool:
    """Whether a caveat is on this row: every `column=pattern` of its key fits (* stands for any text), and its days do."""
    for pair in caveat["key_pattern"].split("&"):
        column, _, pattern = pair.partition("=")
        if column.strip() and not (row.get(column.strip()) is not None and _fits(pattern.strip(), str(row[column.strip()]))):
            return False
    day = row.get("measured_on") or row.get("valid_from")
    told = day.isoformat()[:10] if day else None
    starts, ends = caveat.get("period_from"), caveat.get("period_to")
    return told is None or ((not starts or told >= starts) and (not ends or told <= ends))


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, pattern.split("*"))), re.DOTALL)


def _fits(pattern: str, value: str) -> bool:
    return _expression(pattern).fullmatch(value) is not None


def lines(caveats: Iterable[Row]) -> Markup:
    """One line each, with who says so."""
    return joined((tag('<p class="caveat">{} {}</p>', c["text"], web_link(c.get("source_url"), "source")) for c in caveats), "")


def show(table: str, rows: Iterable[Row], as_of: dt.date | None = None) -> None:
    """Write the caveats that apply."""
    found = of(table, rows, as_of)
    if found:
        write(lines(found))
