"""Small tables as HTML: a screen reader reads them, a phone scrolls them, units stand in the heading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape

from dashboard.parts.html import joined, tag, write

ROWS = 200


@dataclass(frozen=True)
class Cells:
    """A column of a table: its heading with unit, and what a row shows in it."""

    heading: str
    show: Callable[[Any], object]
    unit: str = ""
    right: bool = False


def table(rows: Sequence[Any], columns: Iterable[Cells], caption: str) -> None:
    """Show rows without columns that no row fills; beyond ROWS the caption says how many there are. On a phone each row stands as a card."""
    shown = [(c, [escape(c.show(r)) for r in rows[:ROWS]]) for c in columns]
    shown = [(c, cells) for c, cells in shown if any(cell.strip() for cell in cells)]
    said = caption if len(rows) <= ROWS else f"{caption} The first {ROWS} of {len(rows):,} rows."
    head = joined((tag('<th scope="col" class="{}">{}{}</th>', _side(c), c.heading, _unit(c)) for c, _ in shown), "")
    body = joined((tag("<tr>{}</tr>", joined((_cell(c, cells[n]) for c, cells in shown), "")) for n in range(len(rows[:ROWS]))), "")
    write(tag('<div class="scroll"><table class="facts"><caption>{}</caption><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>', said, head, body))


def _cell(column: Cells, shown: Markup) -> Markup:
    label = f"{column.heading}, {column.unit}" if column.unit else column.heading
    return tag('<td class="{} {}" data-label="{}"><span class="cell">{}</span></td>', _side(column), "" if shown.strip() else "empty", label, shown)


def _side(column: Cells) -> str:
    return "right" if column.right else ""


def _unit(column: Cells) -> Markup:
    return tag('<span class="unit">{}</span>', column.unit) if column.unit else Markup("")
