"""What changed: the news since a day, by weight, the standing questions, and what the figures mean."""

from __future__ import annotations

import datetime as dt

import streamlit as st

from dashboard import data
from dashboard.parts import controls, meaning, news, page, tasks, watches
from dashboard.parts.citing import citation
from dashboard.parts.export import download
from dashboard.parts.headlines import newest_headline
from dashboard.parts.html import write
from dashboard.parts.numbers import counted, day

Row = data.Row
SHOWN = 200
EVERY = "all"
WEIGHTS = ("headline", "notable", "routine")
FILTERS = {"severity": "Weight", "vendor": "Vendor", "model": "Model", "source": "Source", "kind": "Kind of change"}


def choose(since: dt.date) -> tuple[str, list[object], list[str]]:
    """The filters, as SQL, its parameters, and in words."""
    where: list[str] = ["detected_at >= ?"]
    wanted: list[object] = [since]
    chosen: list[str] = []
    active = sum(st.session_state.get(f"news_{column}", EVERY) != EVERY for column in FILTERS)
    with st.popover(f"Filter: {active} chosen" if active else "Filter", icon=":material/filter_list:"):
        for column, label in FILTERS.items():
            picked = controls.choice(label, [EVERY, *_values(column)], f"news_{column}")
            if picked and picked != EVERY:
                where.append(f"{column} = ?")
                wanted.append(picked)
                chosen.append(f"{label.lower()} {picked}")
    return " AND ".join(where), wanted, chosen


def _values(column: str) -> list[str]:
    if column == "severity":
        return list(WEIGHTS)
    return [r["value"] for r in data.rows(f"SELECT DISTINCT {column} AS value FROM change_events WHERE {column} > '' ORDER BY 1 LIMIT 500")]


def events(where: str, wanted: list[object], severity: str) -> list[Row]:
    """Events of one weight, newest first."""
    return data.rows(f"SELECT * FROM change_events WHERE {where} AND severity = ? ORDER BY detected_at DESC, summary LIMIT {SHOWN}", [*wanted, severity])


def answer(counts: dict[str, int], since: dt.date, chosen: list[str]) -> None:
    """How much is new, in words."""
    page.answer(
        f"{counted(counts.get('headline', 0), 'headline')}, {counts.get('notable', 0) or 'nothing'} notable",
        f"and {counted(counts.get('routine', 0), 'routine change')} since {day(since)}",
        f", of {' and '.join(chosen)}" if chosen else "",
        ".",
    )


def listed(found: dict[str, list[Row]], counts: dict[str, int]) -> None:
    """The news: headlines and what is notable in the open, the rest folded away."""
    for weight in WEIGHTS[:2]:
        if found[weight]:
            write(news.listed(found[weight]))
            if counts[weight] > SHOWN:
                page.small(f"The newest {SHOWN} of {counts[weight]:,}; narrow the filter to see others.")
    if found["routine"]:
        with st.expander(counted(counts["routine"], "routine change")):
            write(news.listed(found["routine"]))
            if counts["routine"] > SHOWN:
                page.small(f"The newest {SHOWN} of {counts['routine']:,}; narrow the filter to see others.")


def cited(found: list[Row]) -> None:
    """How to cite the headlines."""
    citation([(e["summary"], {**e, "valid_from": e["detected_at"]}) for e in found[:20]])


def show() -> None:
    """The view."""
    title = st.container()
    first, last = controls.reach()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        since = st.date_input(
            "Since", last - dt.timedelta(days=7), min_value=first, max_value=last, key="since", bind="query-params", format="YYYY-MM-DD", width=170
        )
        known = data.has("change_events")
        where, wanted, chosen = choose(since) if known else ("", [], [])
    with title:
        if not page.question(f"What changed since {day(since)}?", sources=(), tables=("change_events",)):
            return
        counts = {r["severity"]: r["n"] for r in data.rows(f"SELECT severity, count(*) AS n FROM change_events WHERE {where} GROUP BY 1", wanted)}
        answer(counts, since, chosen)
    if not counts:
        newest = data.one("SELECT max(detected_at) AS at_time FROM change_events")["at_time"]
        page.empty(
            f"Nothing in this choice. The newest change of all was seen on {day(newest)}."
            if newest
            else "No change yet: the first reading of a source is a start, not news."
        )
    found = {weight: events(where, wanted, weight) for weight in WEIGHTS}
    listed(found, counts)
    watches.show()
    tasks.show()
    newest_headline()
    meaning.show()
    if counts:
        cited(found["headline"])
        download([e for weight in WEIGHTS for e in found[weight]], "changes", "These changes as CSV")


show()
