"""What changed: the news since a day, by weight, and the standing questions."""

from __future__ import annotations

import datetime as dt

import streamlit as st
from markupsafe import Markup

from dashboard import data
from dashboard.parts import controls, page, watches
from dashboard.parts.badges import badge
from dashboard.parts.export import download
from dashboard.parts.headlines import newest_headline
from dashboard.parts.html import joined, tag, view_link, web_link, write
from dashboard.parts.numbers import day, number
from dashboard.parts.trust import name

Row = data.Row
SHOWN = 200
EVERY = "all"

# Where the entity of an event can be followed.
KIND_TITLES = {
    "agents_per_mw": "AgentPerf results",
    "configured_by": "AgentPerf results",
    "throughput_tok_s_mw": "AgentPerf results",
    "input_usd_mtok": "Model listings",
    "output_usd_mtok": "Model listings",
    "cached_input_usd_mtok": "Model listings",
    "points": "Operating points",
}


def choose(since: dt.date) -> tuple[str, list[object]]:
    """The filters, as SQL and its parameters."""
    where: list[str] = ["detected_at >= ?"]
    wanted: list[object] = [since]
    with st.popover("Filter", icon=":material/filter_list:"):
        for column, label in (("vendor", "Vendor"), ("model", "Model"), ("source", "Source"), ("kind", "Kind of change")):
            options = [r["value"] for r in data.rows(f"SELECT DISTINCT {column} AS value FROM change_events WHERE {column} IS NOT NULL ORDER BY 1 LIMIT 500")]
            picked = controls.choice(label, [EVERY, *options], f"news_{column}")
            if picked != EVERY:
                where.append(f"{column} = ?")
                wanted.append(picked)
    return " AND ".join(where), wanted


def figure(value: str) -> object:
    """A value of an event, which holds all of them as text: as a number where it is one."""
    try:
        return number(float(value))
    except ValueError:
        return value


def entry(event: Row) -> Markup:
    """One piece of news: the sentence, then old and new, what changed with it, where to look."""
    more: list[object] = []
    if event["old_value"] is not None and event["new_value"] is not None:
        more.append(tag("{}: {} → {}", event["field"], figure(event["old_value"]), figure(event["new_value"])))
    if event["co_changed"]:
        more.append("with it " + ", ".join(event["co_changed"][:6]))
    title = KIND_TITLES.get(event["field"] or "")
    words = " ".join(filter(None, [event["model"], event["entity"] if event["entity"] != event["model"] else None]))
    links = [name(event["source"]), web_link(event["source_url"], "page")]
    if title and words:
        links.append(view_link("history", "history", kind=title, find=words))
    more.append(joined(links, " · "))
    mark = badge("provisional until seen twice") if event["provisional"] else ""
    return tag(
        '<li class="{}"><span class="when">{}</span><span class="what">{} {}</span><span class="more">{}</span></li>',
        event["severity"],
        day(event["detected_at"]),
        event["summary"],
        mark,
        joined(more, " · "),
    )


def news(where: str, wanted: list[object], severity: str) -> list[Row]:
    """Events of one weight, newest first."""
    return data.rows(f"SELECT * FROM change_events WHERE {where} AND severity = ? ORDER BY detected_at DESC, summary LIMIT {SHOWN}", [*wanted, severity])


def answer(counts: dict[str, int], headlines: list[Row], since: dt.date) -> None:
    """How much is new, and the newest headline, in words."""
    told = f"{counts.get('headline', 0)} headlines, {counts.get('notable', 0)} notable and {counts.get('routine', 0)} routine changes since {day(since)}."
    newest = f"The newest headline, of {day(headlines[0]['detected_at'])}: {headlines[0]['summary']}." if headlines else ""
    page.answer(told, newest)


def listed(events: list[Row]) -> None:
    """A list of news."""
    if events:
        write(tag('<ol class="news">{}</ol>', joined(map(entry, events), "")))


def show() -> None:
    """The view."""
    title, answered = st.container(), st.container()
    first, last = controls.reach()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        since = st.date_input(
            "Since", last - dt.timedelta(days=7), min_value=first, max_value=last, key="since", bind="query-params", format="YYYY-MM-DD", width=170
        )
        known = data.has("change_events")
        where, wanted = choose(since) if known else ("", [])
    with title:
        if not page.question(f"What changed since {day(since)}?", sources=(), tables=("change_events",)):
            return
    counts = {r["severity"]: r["n"] for r in data.rows(f"SELECT severity, count(*) AS n FROM change_events WHERE {where} GROUP BY 1", wanted)}
    headlines = news(where, wanted, "headline")
    with answered:
        answer(counts, headlines, since)
    if not counts:
        newest = data.one("SELECT max(detected_at) AS at_time FROM change_events")["at_time"]
        page.empty(
            f"Nothing in this choice. The newest change of all was seen on {day(newest)}."
            if newest
            else "No change yet: the first reading of a source is a start, not news."
        )
    listed(headlines)
    notable = news(where, wanted, "notable")
    if notable:
        page.section("Notable")
        listed(notable)
    routine = news(where, wanted, "routine")
    if routine:
        with st.expander(f"Routine: {counts['routine']}"):
            listed(routine)
            if counts["routine"] > SHOWN:
                page.small(f"The newest {SHOWN} of {counts['routine']:,}; narrow the filter to see others.")
    if counts:
        download([*headlines, *notable, *routine], "changes", "These changes as CSV")
    watches.show()
    newest_headline()


show()
