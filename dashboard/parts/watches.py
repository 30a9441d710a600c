"""The standing questions: what the reader waits for, and whether it came."""

from __future__ import annotations

from markupsafe import Markup

from dashboard import data
from dashboard.parts import page
from dashboard.parts.html import joined, tag, write
from dashboard.parts.numbers import day


def show() -> None:
    """Open questions first, then those answered, with their days."""
    if not data.has("watches"):
        return
    found = data.rows("SELECT * FROM watches ORDER BY state = 'answered', answered_at DESC NULLS FIRST, name LIMIT 100")
    if not found:
        return
    page.section("What are you waiting for?")
    today = data.one("SELECT data_to FROM about")["data_to"]
    write(tag('<ol class="news">{}</ol>', joined((_entry(w, today) for w in found), "")))


def _entry(watch: data.Row, today: object) -> Markup:
    if watch["state"] == "answered":
        when, state = day(watch["answered_at"]), "answered"
    else:
        expected = watch.get("expected_by")
        late = expected is not None and str(expected) < str(today)[:10]
        when, state = "open", f"expected by {day(expected)}, overdue" if late else f"expected by {day(expected)}" if expected else ""
    return tag('<li><span class="when">{}</span><span class="what">{}</span><span class="more">{}</span></li>', when, watch["question"], state)
