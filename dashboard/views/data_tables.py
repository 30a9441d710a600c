"""Data: what is in the published file, what its columns mean, and a box for questions of one's own."""

from __future__ import annotations

import streamlit as st

from dashboard import box as limits
from dashboard import data
from dashboard.parts import controls, page
from dashboard.parts.export import download, safe_rows
from dashboard.parts.html import tag, web_link
from dashboard.parts.numbers import number
from dashboard.parts.table import Cells, table
from pipelines.settings import load_settings
from pipelines.sources.registry import SOURCES

PREVIEW = 100
EXPORT = 10_000
EXAMPLE = "SELECT model, system, metric, value, configured_by, valid_from\nFROM agentperf_results\nWHERE valid_to IS NULL\nORDER BY value DESC"


def listing() -> str | None:
    """The tables with their rows; the one that is chosen."""
    known = data.tables()
    counts = {
        r["name"]: r["n"]
        for r in data.rows("SELECT table_name AS name, estimated_size AS n FROM duckdb_tables() WHERE database_name = 'tracker' AND schema_name = 'main'")
    }
    page.answer(f"{len(known)} tables. Each answers as of now, and most for any past day; every row of a history table is a version that held for a time.")
    columns = (
        Cells("Table", lambda t: tag("<code>{}</code>", t.name)),
        Cells("What it holds", lambda t: t.row),
        Cells("Rows", lambda t: number(counts.get(t.name)), "about", right=True),
        Cells("For a past day", lambda t: "yes" if t.by_day else ""),
    )
    with st.expander("All tables"):
        table(list(known.values()), columns, "Tables of the published database.")
    return controls.choice("Table", list(known), "table", "agentperf_results")


def dictionary(chosen: str) -> None:
    """What each column means."""
    described = data.tables()[chosen]
    columns = (Cells("Column", lambda c: tag("<code>{}</code>", c.name)), Cells("Type", lambda c: c.kind), Cells("Meaning and unit", lambda c: c.meaning))
    with st.expander(f"What the columns of {chosen} mean"):
        table(described.columns, columns, f"{described.row}." if described.row else f"Columns of {chosen}.")


def preview(chosen: str) -> None:
    """The first rows, and all of them as CSV."""
    as_of = controls.as_of(width=220) if data.tables()[chosen].by_day else None
    rows = data.rows(f'SELECT * FROM {"" if as_of else "tracker.main."}"{chosen}" LIMIT {EXPORT}', as_of=as_of)
    page.section(f"What is in {chosen}?")
    if not rows:
        page.small("No rows.")
        return
    st.dataframe(safe_rows(rows[:PREVIEW]), hide_index=True, width="stretch", alt=f"The first rows of {chosen}")
    page.small(f"The first {PREVIEW} rows." if len(rows) > PREVIEW else "All rows.", "Times are UTC; None is not published.")
    download(rows, chosen, f"The first {EXPORT:,} rows as CSV" if len(rows) == EXPORT else "All rows as CSV")


def box() -> None:
    """A box for one SELECT."""
    page.section("What would you like to ask?")
    page.small(
        "One SELECT over the published tables: no files, no addresses, no changes; at most",
        f"{data.BOX_SECONDS} seconds, {limits.MEMORY} of memory and {limits.ROWS:,} rows.",
    )
    with st.form("box", border=False):
        sql = st.text_area("SQL", EXAMPLE, key="sql", height=140, max_chars=20_000)
        as_of = st.date_input("Tables as of the end of (empty: every version)", None, key="box_day", format="YYYY-MM-DD", width=320)
        asked = st.form_submit_button("Ask")
    if not asked:
        return
    try:
        answer = data.box(sql, as_of)
    except data.Refused as why:
        page.empty(str(why))
        return
    rows = [dict(zip(answer.names, r, strict=True)) for r in answer.rows]
    if not rows:
        page.small("No rows.")
        return
    st.dataframe(safe_rows(rows), hide_index=True, width="stretch", alt="The answer")
    if answer.cut:
        page.empty(answer.cut)
    download(rows, "answer", "The answer as CSV")


def terms() -> None:
    """Whose data these are."""
    page.section("Whose data are these?")
    columns = (
        Cells("Source", lambda s: s.title),
        Cells("To be credited as", lambda s: s.terms.attribution),
        Cells("Fetch", lambda s: s.terms.fetch),
        Cells("Redistribute", lambda s: s.terms.redistribute),
        Cells("Terms", lambda s: web_link(s.terms.url, "terms")),
    )
    table(list(SOURCES.values()), columns, "Terms of each source. Where redistribution is not allowed or unknown, do not pass on tables in bulk.")


def show() -> None:
    """The view."""
    if not page.question("What is in the database?", sources=(), tables=("about",)):
        return
    public = load_settings().public
    chosen = listing()
    shown, asked = st.container(), st.container()
    with shown:
        if chosen and public:
            page.small("This is a public page: it shows what the tables hold and means no bulk listing of them; run your own with megawatch refresh.")
        elif chosen:
            preview(chosen)
        if chosen:
            dictionary(chosen)
    with asked:
        if not public:
            box()
    terms()


show()
