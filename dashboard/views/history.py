"""History: any entity over time, its versions, and two snapshots of a page compared."""

from __future__ import annotations

import datetime as dt
from functools import partial
from itertools import pairwise
from typing import Any

import altair as alt
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard import data
from dashboard.parts import charts, compare, page
from dashboard.parts.badges import badges
from dashboard.parts.citing import citation, publisher
from dashboard.parts.colours import vendor_scale
from dashboard.parts.entities import KINDS, changed_columns, known, search, versions
from dashboard.parts.html import view_link, web_link
from dashboard.parts.numbers import UNITS, day, figure_name, moment, number, plain, text
from dashboard.parts.table import Cells
from dashboard.parts.table import table as html_table

Row = data.Row
DAY_MS = 86_400_000


def chosen() -> tuple[str, str, str] | None:
    """Table, identity and label of what is to be followed, from the controls."""
    left, middle, right = st.columns([1.2, 1, 2])
    kinds = {kind.title: name for name, kind in known().items()}
    with left:
        name = kinds[st.selectbox("Kind", list(kinds), key="kind", bind="query-params")]
    with middle:
        words = st.text_input("Words in its name, or its id", key="find", bind="query-params", max_chars=100)
    found = search(name, words)
    if not found:
        return None
    by_label = {r["label"] if r["place"] == 1 else f"{r['label']} ({r['place']})": r["identity"] for r in found}
    with right:
        label = st.selectbox("What", list(by_label), key="what", bind="query-params")
    return name, by_label[label], label


def lines(rows: list[Row], column: str) -> list[Row]:
    """Steps of one figure: a line for each way it came, ending where the version ended."""
    last = data.one("SELECT data_to FROM about")["data_to"]
    steps = []
    for r in rows:
        if r[column] is None:
            continue
        way = f"{publisher(r)}{', entered by hand' if r['origin'] == 'curated' else ''}"
        steps.append(
            {
                "way": way,
                "source": r["source"],
                "since": r["valid_from"],
                "until": r["valid_to"] or last,
                "value": r[column],
                "hand": r["origin"] == "curated",
                "vendor": r.get("vendor"),
                "shown": plain(r[column]),
                "began": moment(r["valid_from"]),
                "ended": moment(r["valid_to"]) if r["valid_to"] else "still so",
            }
        )
    return steps


def _days(steps: list[Row]) -> alt.Scale:
    """The time axis: from the first step to the end of the last one, never less than two weeks."""
    last = max(s["until"] for s in steps)
    first = min(min(s["since"] for s in steps), last - dt.timedelta(days=14))
    return alt.Scale(type="utc", domain=[f"{first.isoformat()}Z", f"{last.isoformat()}Z"])


def _values(steps: list[Row]) -> alt.Scale:
    """The axis of values: around them; a fifth up and down where there is one value alone."""
    lowest, highest = min(s["value"] for s in steps), max(s["value"] for s in steps)
    return alt.Scale(zero=False, nice=True) if lowest != highest else alt.Scale(domain=sorted([0.8 * lowest, 1.2 * lowest]) if lowest else [-1, 1])


def _named(column: str, unit: str) -> str:
    """A figure with its unit, as it stands on an axis."""
    name = figure_name(column)
    return unit or name if column == "value" else f"{name}, {unit}" if unit else name


def step_chart(rows: list[Row], column: str, unit: str, label: str) -> None:
    """The figure over time: steps are steps, gaps are gaps."""
    steps = lines(rows, column)
    if not steps:
        page.small(f"{figure_name(column)} is not published in any version.")
        return
    drops = [{**a, "to": b["value"]} for a, b in pairwise(steps) if a["way"] == b["way"] and a["until"] == b["since"]]
    drawing = charts.Drawing("history")
    x = alt.X("since:T", title="Day (UTC)", scale=_days(steps), axis=alt.Axis(format="%d %b %y", labelOverlap=True, tickMinStep=DAY_MS))
    y = alt.Y("value:Q", title=_named(column, unit), scale=_values(steps), axis=alt.Axis(format="~s"))
    colour: alt.Color | alt.ColorValue = alt.ColorValue("#1f6f8b")
    if any(s["vendor"] for s in steps):
        colour = alt.Color("vendor:N", title=None, scale=vendor_scale(s["vendor"] for s in steps), legend=alt.Legend(orient="top"))
    dash = alt.StrokeDash("hand:N", scale=alt.Scale(domain=[False, True], range=[[1, 0], [5, 3]]), legend=None)
    tips = [alt.Tooltip(f"{k}:N", title=t) for k, t in (("way", "Source"), ("shown", column), ("began", "Since"), ("ended", "Until"))]
    base = drawing.of(steps)
    level = base.mark_rule(strokeWidth=3).encode(x=x, x2="until:T", y=y, color=colour, strokeDash=dash, tooltip=tips)
    starts = base.mark_point(size=55, filled=True).encode(
        x=x, y=y, color=colour, fillOpacity=alt.FillOpacityValue(**charts.when("datum.hand", 0, 1)), tooltip=tips
    )
    chart = level + starts
    if drops:
        chart += drawing.of(drops).mark_rule(strokeWidth=1, opacity=0.6).encode(x="until:T", y="value:Q", y2="to:Q", color=colour)
    told = "; ".join(f"{s['way']}: {text(s['value'], unit)} since {day(s['since'])}" for s in steps[-6:])
    drawing.show(chart.properties(height=260), steps, says=f"{label}: {column} over time. {told}.", source=", ".join(sorted({s["way"] for s in steps})))
    if any(s["hand"] for s in steps):
        page.small("Dashed lines and hollow points: entered by hand from a publication.")


def answer(rows: list[Row], column: str | None, unit: str, label: str) -> None:
    """What it stands at, and since when."""
    live = [r for r in rows if r["valid_to"] is None]
    current = next((r for r in reversed(live) if r["origin"] != "curated"), live[-1] if live else None)
    if current is None:
        page.answer(f"{label} is no longer published: its last version ended on {day(max(r['valid_to'] for r in rows))}.")
        return
    before = [
        r
        for r in rows
        if r["valid_to"] is not None and (r["source"], r["origin"], r.get("publication")) == (current["source"], current["origin"], current.get("publication"))
    ]
    stands = ("stands at", number(current[column], unit)) if column and current[column] is not None else ("stands",)
    was = f", before that at {text(before[-1][column], unit)}" if column and before and before[-1][column] is not None else ""
    page.answer(label, *stands, f"since {day(current['valid_from'])}{was}.")


def rows_table(rows: list[Row]) -> None:
    """The version rows, newest first, with the columns that differ."""
    columns = [
        n
        for n in changed_columns(rows)
        if n not in ("source", "origin", "publication", "publisher", "provenance", "source_url", "reported_via", "publisher_interest", "stated_date")
    ][:6]
    shown = [
        Cells("Held", lambda r: f"{moment(r['valid_from'])} to {moment(r['valid_to']) if r['valid_to'] else 'now'}"),
        Cells("Dated by", lambda r: r["date_source"]),
        *(Cells(figure_name(c), partial(_cell_of, c)) for c in columns),
        Cells("Who says so", lambda r: publisher(r)),
        Cells("", badges),
        Cells("Read from", lambda r: view_link("sources", "snapshot", snapshot=r["snapshot_id"])),
        Cells("Page", lambda r: web_link(r["source_url"], "page")),
    ]
    html_table(list(reversed(rows)), shown, "Every version, newest first, with the columns that differ.")


def _cell_of(column: str, row: Row) -> object:
    return cell(row[column])


def cell(value: Any) -> object:
    """A value of any type."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "not published"}[value]
    if isinstance(value, int | float):
        return number(value)
    if isinstance(value, dt.date):
        return day(value)
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)[:400]


def follow(title: DeltaGenerator, name: str, identity: str, label: str) -> None:
    """One entity: what it stands at, over time, and its versions."""
    rows = versions(name, identity)
    figures = {c: u for c, u in KINDS[name].figures.items() if any(r.get(c) is not None for r in rows)}
    with title:
        page.question("How did this figure get here?", sources=sorted({r["source"] for r in rows}), tables=(name,))
        slot = st.container()
    by_name = {figure_name(c): c for c in figures}
    first = next(iter(by_name), None)
    if len(by_name) > 1:
        first = st.segmented_control("Figure", list(by_name), default=first, key=f"figure_{name}", bind="query-params", required=True)
    column = by_name[first] if first else None
    unit = rows[-1].get("unit") or UNITS.get(rows[-1].get("metric") or "") or figures.get(column or "", "")
    with slot:
        answer(rows, column, unit, label)
    if column:
        step_chart(rows, column, unit, label)
    rows_table(rows)
    citation([(f"{label}: {text(r[column], unit)}", r) for r in rows if column and r["valid_to"] is None and r[column] is not None])


def show() -> None:
    """The view."""
    title = st.container()
    if not known():
        with title:
            page.question("How did a figure get here?", sources=(), tables=("snapshots",))
            page.empty("Nothing was taken in yet. Run `megawatch refresh`, then reload this page.")
        return
    found = chosen()
    followed, compared = st.container(), st.container()
    with followed:
        if found is None:
            with title:
                page.question("How did a figure get here?", sources=(), tables=("snapshots",))
            page.empty("Nothing of this kind has these words in its name.")
        else:
            follow(title, *found)
    with compared:
        compare.snapshots()


show()
