"""The standing questions: what the reader waits for, and whether it came; one line each."""

from __future__ import annotations

from markupsafe import Markup

from dashboard import data
from dashboard.parts import page
from dashboard.parts.html import joined, tag, view_link, write
from dashboard.parts.numbers import day


def show() -> None:
    """Open questions first, then those answered, with their days."""
    if not data.has("watches"):
        return
    found = data.rows("SELECT * FROM watches ORDER BY state = 'answered', answered_at DESC NULLS FIRST, name LIMIT 100")
    if not found:
        return
    page.section("What are you waiting for?")
    today = data.one("SELECT data_to::DATE AS today FROM about")["today"]
    write(tag('<ul class="watches">{}</ul>', joined((_entry(w, today) for w in found), "")))


def _entry(watch: data.Row, today: object) -> Markup:
    if watch["state"] == "answered":
        when = day(watch["answered_at"])
        return tag('<li>{} <span class="fresh">{}</span></li>', watch["question"], view_link("", when, since=watch["answered_at"].date()))
    expected = watch["expected_by"]
    late = ", overdue" if expected and today and str(expected) < str(today) else ""
    return tag('<li>{} <span class="open">open{}</span></li>', watch["question"], f", expected by {day(expected)}{late}" if expected else "")
