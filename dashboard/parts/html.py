"""Text on the page: every value put into markup is escaped, so scraped text shows as the characters it is.

Prose and tables are written as HTML from fixed templates; what is filled in goes through markupsafe, which escapes
whatever is not markup of ours. Markdown is never used for values: nothing scraped reaches a Markdown label.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import streamlit as st
from markupsafe import Markup, escape

STYLE = Path(__file__).with_name("style.css")


def style() -> None:
    """Our few rules of style; call once a page."""
    st.html(STYLE)


def write(*parts: Markup) -> None:
    """Put markup on the page.

    Raises TypeError for a text that is no markup: it would be read as HTML.
    """
    if not all(isinstance(p, Markup) for p in parts):
        raise TypeError("only markup is written; put texts into it with Markup.format, which escapes them")
    text = str(Markup("").join(parts))
    if text:
        st.html(text)


def tag(template: str, *values: object, **named: object) -> Markup:
    """Markup from a fixed template of ours with escaped values."""
    return Markup(template).format(*values, **named)  # noqa: S704 - templates are literals; format escapes the values


def joined(parts: Iterable[object], between: str = " ") -> Markup:
    """Parts one after the other, texts among them escaped."""
    return Markup(between).join(map(escape, parts))  # noqa: S704 - a literal; join escapes the parts


def prose(*parts: object) -> Markup:
    """Parts of a sentence with a space between them, none before a comma, semicolon or full stop; empty parts are left out."""
    said = Markup("")
    for part in map(escape, parts):
        if part:
            said += part if not said or part.startswith((",", ";", ".", ":")) else " " + part
    return said


def paragraph(*parts: object, kind: str = "") -> Markup:
    """A paragraph; `kind` is a class of style.css."""
    return tag('<p class="{}">{}</p>', kind, prose(*parts))


def web_link(url: str | None, label: object) -> Markup:
    """A link to a public page; the label alone where the address is none of http or https."""
    if not url or urlsplit(url).scheme not in ("http", "https"):
        return escape(label)
    return tag('<a href="{}" target="_blank" rel="noopener noreferrer">{}</a>', url, label)


def view_link(path: str, label: object, **state: object) -> Markup:
    """A link to a view of this dashboard with its state."""
    query = urlencode({k: str(v) for k, v in state.items() if v is not None})
    return tag('<a href="{}{}" target="_self">{}</a>', path, f"?{query}" if query else "", label)
