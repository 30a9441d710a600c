"""Tables of measurements in a pull request's words: what its author claims, before anything is merged."""

from __future__ import annotations

import re
from typing import Any

from pipelines.sources.sglang import figures
from pipelines.sources.sglang.layout import SPEED
from pipelines.sources.sglang.parallelism import from_words

DEPLOYMENT = ("concurrency", "gpus", "tp", "ep", "dp", "nodes")
_RULE = re.compile(r":?-+:?")


def claimed_points(body: str) -> list[dict[str, Any]]:
    """Rows of the Markdown tables that state a speed, each as its cells by heading (`as_written`) with the figures they hold.

    A cell that packs several values is left as written. Tables without a column of speed are no claim.
    """
    points = []
    for headings, rows in _tables(body):
        keys = [figures.understood(h) for h in headings]
        if not any(k is not None and k.figure in SPEED for k in keys):
            continue
        points += [_point(headings, keys, row) for row in rows]
    return points


def _point(headings: list[str], keys: list[figures.Key | None], row: list[str]) -> dict[str, Any]:
    point: dict[str, Any] = {"as_written": {h: cell for h, cell in zip(headings, row, strict=False) if cell}}
    for key, cell in zip(keys, row, strict=False):
        value = figures.number(cell.strip("*_` "))
        if key is None:
            continue
        if key.figure == "parallelism":
            said = from_words(cell, "")
            point |= {way: ways for way in ("tp", "ep", "dp", "pp") if (ways := getattr(said, way))}
        elif value is not None and key.figure in DEPLOYMENT:
            point.setdefault(key.figure, figures.count(value))
        elif value is not None and key.figure in SPEED:
            point.setdefault(key.figure, round(float(value) * key.factor, 9))
    return point


def _tables(body: str) -> list[tuple[list[str], list[list[str]]]]:
    """Pipe tables as GitHub reads them: a heading line, a rule below it, then rows until a line without a pipe."""
    lines = body.replace("\r\n", "\n").split("\n")
    tables = []
    number = 0
    while number + 1 < len(lines):
        heading, rule = lines[number], lines[number + 1]
        if "|" in heading and _is_rule(rule) and len(_cells(heading)) == len(_cells(rule)):
            rows = []
            number += 2
            while number < len(lines) and "|" in lines[number]:
                rows.append(_cells(lines[number]))
                number += 1
            tables.append((_cells(heading), rows))
        else:
            number += 1
    return tables


def _is_rule(line: str) -> bool:
    return "|" in line and all(_RULE.fullmatch(cell) for cell in _cells(line))


def _cells(line: str) -> list[str]:
    text = line.strip()
    text = text[1:] if text.startswith("|") else text
    text = text[:-1] if text.endswith("|") and not text.endswith("\\|") else text
    return [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", text)]
