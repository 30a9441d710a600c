"""The frame of a view: its question, what to know before reading, its answer."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from dashboard import data
from dashboard.parts import trust
from dashboard.parts.html import joined, paragraph, tag, write


def question(text: str, *, sources: Sequence[str], tables: Sequence[str]) -> bool:
    """Write the view's question and what ails its sources; False where a table it needs is not published."""
    write(tag('<h1 class="question">{}</h1>', text))
    trust.warnings(sources, tables)
    missing = [t for t in tables if not data.has(t)]
    if missing:
        empty(
            f"This view reads {' and '.join(missing)}, which this database does not hold yet. They come with the next `megawatch refresh` of a newer version."
        )
    return not missing


def answer(*parts: object) -> None:
    """The answer in words."""
    write(paragraph(*parts, kind="answer"))


def section(text: object) -> None:
    """A heading inside a view."""
    write(tag('<h2 class="section">{}</h2>', text))


def small(*parts: object) -> None:
    """A line of small print."""
    write(paragraph(*parts, kind="small"))


def empty(text: str | Markup) -> None:
    """Why there is nothing to see, and what would change that; what stands between backticks is a command."""
    said = text if isinstance(text, Markup) else joined((tag("<code>{}</code>", part) if n % 2 else part for n, part in enumerate(text.split("`"))), "")
    write(tag('<p class="notice" role="note">{}</p>', said))
