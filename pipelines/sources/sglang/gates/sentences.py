"""Prose in pieces: paragraphs, sentences, clauses. Rows of Markdown tables become sentences."""

from __future__ import annotations

import re

MAX_SENTENCE = 1_000
MAX_LEAD = 200
_LIST_ITEM = re.compile(r"\s*(?:[-*•+]|\d{1,2}[.)])\s+")
_LABEL = re.compile(r"[A-Z][A-Za-z -]{2,24}:\s")
_TABLE_ROW = re.compile(r"\s*\|.*\|\s*")
_RULE = re.compile(r"[\s|:=-]+")
_END = re.compile(r"(?<=[.!?])[\"')\]`]*\s+(?=\S)")
_SHORT = re.compile(r"(?:\b(?:e\.g|i\.e|vs|approx|ca|cf|resp|incl|max|min|avg|est|no|fig|sec|dept)|\b[A-Z])\.$", re.IGNORECASE)
_CLAUSE = re.compile(
    r"\s*;\s*|,\s+(?:but\s+|and\s+|while\s+|so\s+|yet\s+)?|\s+[—–]\s+|\s+--?\s+|\s+(?:but|while|whereas|although|though)\s+|\s+and\s+|\s*→\s*|\s+->\s+"
)


def paragraphs(text: str) -> list[str]:
    """Paragraphs with their lines joined; list items, labelled lines and table rows are paragraphs of their own.

    An item of a list that a line with a colon leads in to (`Run 38411223344:`) starts with that line.
    """
    found: list[list[str]] = []
    header: list[str] = []
    lead: list[str] = []
    fresh = True
    for line in text.split("\n"):
        bare = line.strip()
        if _TABLE_ROW.fullmatch(line):
            cells = [c.strip() for c in bare.strip("|").split("|")]
            if not header:
                header = cells
            elif not _RULE.fullmatch(bare):
                found.append([_row(header, cells)])
            fresh = True
            continue
        header = []
        if not bare or _RULE.fullmatch(bare):
            fresh = True
            continue
        item = _LIST_ITEM.match(line)
        if item:
            found.append([*lead, line[item.end() :].strip()])
        elif fresh or (_LABEL.match(bare) and found[-1][-1].endswith((".", ":", ")"))):
            found.append([bare])
        else:
            found[-1].append(bare)
        if not item and bare.endswith(":"):
            lead = list(found[-1]) if sum(map(len, found[-1])) <= MAX_LEAD else []
        elif not item and fresh:
            lead = []
        fresh = False
    return [" ".join(" ".join(p).split()) for p in found]


def _row(header: list[str], cells: list[str]) -> str:
    named = [f"{h}: {c}" if h else c for h, c in zip(header, cells, strict=False) if c]
    return "; ".join(named)


def sentences(paragraph: str) -> list[str]:
    """Sentences of a paragraph; a full stop inside a number or after an abbreviation ends none.

    What runs on for more than MAX_SENTENCE characters is no sentence and left out.
    """
    found: list[str] = []
    for piece in _END.split(paragraph):
        if found and _SHORT.search(found[-1]):
            found[-1] += " " + piece
        elif piece.strip():
            found.append(piece)
    return [s.strip() for s in found if len(s) <= MAX_SENTENCE]


def clauses(sentence: str) -> list[str]:
    """Pieces of a sentence between semicolons, commas, dashes and conjunctions."""
    return [c for c in (piece.strip() for piece in _CLAUSE.split(sentence)) if c]
