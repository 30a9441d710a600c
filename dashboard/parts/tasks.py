"""What waits for a person: pages behind figures entered by hand whose text changed."""

from __future__ import annotations

from dashboard import data
from dashboard.parts import page
from dashboard.parts.html import joined, tag, web_link, write
from dashboard.parts.numbers import day


def show() -> None:
    """The open tasks, newest first; nothing where there is none."""
    if not data.has("tasks"):
        return
    found = data.rows("SELECT * FROM tasks WHERE done_at IS NULL ORDER BY raised_at DESC, url LIMIT 100")
    if found:
        page.section("What is there to do?")
        entries = (tag("<li>{} ({}, {})</li>", t["text"], day(t["raised_at"]), web_link(t["url"], "page")) for t in found)
        write(tag('<ul class="watches">{}</ul>', joined(entries, "")))
