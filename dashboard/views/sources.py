"""Sources: can these data be trusted, and what to do where not."""

from __future__ import annotations

import datetime as dt
import json

import altair as alt
import streamlit as st

from dashboard import data
from dashboard.parts import charts, page, tasks
from dashboard.parts.capture import behind
from dashboard.parts.html import joined, paragraph, tag, view_link, web_link, write
from dashboard.parts.numbers import day, moment
from dashboard.parts.table import Cells, table
from dashboard.parts.trust import Standing, name, outcome_words, standings
from pipelines.sources.base import GOOD_OUTCOMES
from pipelines.sources.registry import SOURCES

TODO = {
    "no_data": "Open the page. Where it is empty too, the next run asks again; where the figures are there, it has a new shape: please report it.",
    "invalid": "Read what failed below. If the change is real, run `megawatch accept SNAPSHOT --reason TEXT`.",
    "unreachable": "Nothing at first: the next run asks again. If it stays, check the network and the address in the settings.",
    "disallowed": "The site closes the page to programs. Save it by hand and run `megawatch import`, or use the site's data interface with a key.",
    "moved": "The page is gone from its address. Look for the new one and report it.",
    "rate_limited": "Nothing: the next run goes on where this one stopped. A token raises the limit where the site has one.",
}


def answer(found: list[Standing]) -> None:
    """How many sources stand well, in words."""
    well = [s for s in found if not s.ill]
    data_to = data.one("SELECT data_to FROM about")["data_to"]
    ill = ", ".join(s.trouble(data_to) for s in found if s.ill)
    page.answer(f"{len(well)} of {len(found)} sources were read well when last asked; data go to {moment(data_to)}.", f"Not well: {ill}." if ill else "")


def by_source(found: list[Standing]) -> None:
    """One table: how each source stands, and under which terms."""
    rows = [{"source": s.source, "standing": s, "terms": SOURCES[s.source].terms if s.source in SOURCES else None} for s in found]
    columns = (
        Cells("Source", lambda r: tag("<strong>{}</strong>", name(r["source"]))),
        Cells("Pages read well", lambda r: f"{len(r['standing'].resources) - len(r['standing'].ill)} of {len(r['standing'].resources)}", right=True),
        Cells("Last read well", lambda r: moment(r["standing"].last_success_at), "UTC"),
        Cells("Names we could not match", lambda r: sum(x["unmatched_names"] or 0 for x in r["standing"].resources), "count", right=True),
        Cells(
            "Terms", lambda r: web_link(r["terms"].url, f"fetch {r['terms'].fetch}, redistribute {r['terms'].redistribute}") if r["terms"] else "not declared"
        ),
        Cells("To be credited as", lambda r: r["terms"].attribution if r["terms"] else "not declared"),
    )
    table(rows, columns, "Each source, how it stands and its terms.")


def resources(standing: Standing) -> None:
    """Every page of a source, those that ail first, with what to do."""
    rows = sorted(standing.resources, key=lambda r: (r not in standing.ill, r["resource"]))
    columns = (
        Cells("Page", lambda r: r["resource"]),
        Cells(
            "Last outcome",
            lambda r: tag('<span class="{}">{}</span>', "fresh" if r["last_outcome"] in GOOD_OUTCOMES else "warn", outcome_words(r["last_outcome"])),
        ),
        Cells("Freshness", lambda r: "asked when something changed" if r["freshness"] == "stale" and r not in standing.ill else r["freshness"]),
        Cells("Last read well", lambda r: moment(r["last_success_at"])),
        Cells("Last tried", lambda r: moment(r["last_attempt_at"])),
        Cells("Failures in a row", lambda r: r["consecutive_failures"], "count", right=True),
        Cells("What happened, and what to do", lambda r: joined([r["message"] or "", TODO.get(r["last_outcome"], "")], " ")),
    )
    with st.expander(f"{name(standing.source)}: {len(rows)} page{'s' if len(rows) != 1 else ''}", expanded=bool(standing.ill)):
        table(rows, columns, f"Pages of {name(standing.source)}.")


def outcomes() -> None:
    """When each source was asked, and what came of it."""
    rows = data.rows("""
        SELECT captured_at::DATE AS day, source, outcome, count(*) AS fetches, any_value(message) AS message
        FROM snapshots WHERE captured_at >= (SELECT max(captured_at) - INTERVAL 180 DAY FROM snapshots)
        GROUP BY ALL ORDER BY day, source""")
    if not rows:
        return
    page.section("When was each source asked, and what came of it?")
    last = max(r["day"] for r in rows) + dt.timedelta(days=1)
    first = min(min(r["day"] for r in rows), last - dt.timedelta(days=30))
    shown = [
        {
            **r,
            "source": name(r["source"]),
            "on": day(r["day"]),
            "result": outcome_words(r["outcome"]),
            "good": "as it should" if r["outcome"] in GOOD_OUTCOMES else "failed",
        }
        for r in rows
    ]
    drawing, ends, legend = charts.Drawing("outcomes"), ["as it should", "failed"], alt.Legend(orient="top")
    chart = (
        drawing.of(shown)
        .mark_point(filled=True, size=70, opacity=0.9)
        .encode(
            x=alt.X("day:T", title="Day (UTC)", scale=alt.Scale(type="utc", domain=[f"{first}T00:00:00Z", f"{last}T00:00:00Z"])),
            y=alt.Y("source:N", title=None),
            color=alt.Color("good:N", title=None, scale=alt.Scale(domain=ends, range=["#4b9b7e", "#b35309"]), legend=legend),
            shape=alt.Shape("good:N", title=None, scale=alt.Scale(domain=ends, range=["circle", "triangle-up"]), legend=legend),
            tooltip=[
                alt.Tooltip("source:N", title="Source"),
                alt.Tooltip("on:N", title="Day"),
                alt.Tooltip("result:N", title="Outcome"),
                alt.Tooltip("fetches:Q", title="Fetches"),
            ],
        )
        .properties(height=alt.Step(34))
    )
    failed = sum(r["fetches"] for r in rows if r["outcome"] not in GOOD_OUTCOMES)
    drawing.show(
        chart,
        rows,
        says=f"Fetches by day and source over the last 180 days; {failed} of {sum(r['fetches'] for r in rows)} failed.",
        source="the tracker's own log of fetches",
    )


def failures() -> None:
    """The newest fetches that did not end well, each with its failing cases."""
    rows = data.rows("""
        SELECT snapshot_id, source, resource, captured_at, outcome, message, failures FROM snapshots
        WHERE outcome NOT IN ('changed', 'unchanged', 'not_modified') ORDER BY captured_at DESC, resource LIMIT 50""")
    page.section("What failed lately?")
    if not rows:
        page.small("Nothing: every fetch so far ended well.")
        return
    columns = (
        Cells("When", lambda r: moment(r["captured_at"])),
        Cells("Source", lambda r: name(r["source"])),
        Cells("Page", lambda r: r["resource"]),
        Cells("Outcome", lambda r: outcome_words(r["outcome"])),
        Cells("In words", lambda r: joined([r["message"] or "", *(tag("<br>{}", c) for c in _cases(r["failures"]))], " ")),
        Cells("Capture", lambda r: view_link("sources", r["snapshot_id"], snapshot=r["snapshot_id"])),
    )
    table(rows, columns, "The newest 50 fetches that did not end well.")


def _cases(text: str | None) -> list[str]:
    cases = json.loads(text) if text else []
    return [" ".join(str(c.get(k) or "") for k in ("table", "column", "check", "row", "value")).strip() for c in cases[:5]]


def unmatched() -> None:
    """Names that no reference knows: what bears them is compared with nothing of another name."""
    if not data.has("unmatched_names"):
        return
    page.section("Which names could not be matched?")
    rows = data.rows("SELECT * FROM unmatched_names ORDER BY rows DESC, source, kind, name LIMIT 500")
    if not rows:
        page.small("None: every accelerator and model name was known.")
        return
    columns = (
        Cells("Name as the source writes it", lambda r: r["name"]),
        Cells("Kind", lambda r: r["kind"]),
        Cells("Source", lambda r: name(r["source"])),
        Cells("Page", lambda r: r["resource"] or ""),
        Cells("Rows", lambda r: r["rows"], "count", right=True),
        Cells("Since", lambda r: day(r["since"])),
    )
    table(rows, columns, "They stay as written; pipelines/reference.yaml is where an alias is added.")


def shapes() -> None:
    """The newest report on the shape of a page's bytes."""
    reports = data.rows("""
        SELECT source, resource, snapshot_id, captured_at, shape FROM snapshots WHERE shape IS NOT NULL
        QUALIFY row_number() OVER (PARTITION BY source, resource ORDER BY captured_at DESC) = 1 ORDER BY source, resource""")
    if not reports:
        return
    page.section("What do the pages look like inside?")
    by_name = {f"{name(r['source'])}, {r['resource']}": r for r in reports}
    report = by_name[st.selectbox("Newest shape report of", list(by_name), key="shape", bind="query-params")]
    page.small(f"Read from the capture of {moment(report['captured_at'])}.")
    st.json(json.loads(report["shape"]), expanded=1)


def show() -> None:
    """The view."""
    if not page.question("Can these data be trusted?", sources=(), tables=("source_health", "snapshots")):
        return
    found = standings()
    if not found:
        page.empty(tag("Nothing was fetched yet. Run {}, then reload this page.", tag("<code>megawatch refresh</code>")))
        return
    answer(found)
    by_source(found)
    for standing in found:
        resources(standing)
    outcomes()
    failures()
    unmatched()
    tasks.show()
    shapes()
    behind()
    write(paragraph("A number can be followed from any view to the snapshot it came from, and from there to its bytes.", kind="small"))


show()
