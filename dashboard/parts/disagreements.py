"""Where two publishers, or one at two times, give different figures for the same thing."""

from __future__ import annotations

import datetime as dt

import streamlit as st

from dashboard import data
from dashboard.parts import page
from dashboard.parts.citing import publisher
from dashboard.parts.html import joined, web_link
from dashboard.parts.numbers import UNITS, day, number
from dashboard.parts.table import Cells, table

Row = data.Row


def of(model: str, as_of: dt.date | None, kinds: tuple[str, ...] = ()) -> list[Row]:
    """The disagreements on a model, those furthest apart first."""
    if not data.has("disagreements"):
        return []
    found = data.rows(
        "SELECT * FROM disagreements WHERE model_key = ? ORDER BY abs(ln(nullif(ratio, 0))) DESC NULLS LAST, kind, fact, accelerator LIMIT 200", [model], as_of
    )
    return [r for r in found if not kinds or r["kind"] in kinds]


def show(found: list[Row]) -> None:
    """Both figures side by side, with who says which, when, and why they may differ; folded where there are many."""
    if not found:
        return
    with st.expander(f"{len(found)} figure{'s' if len(found) != 1 else ''} on which publications do not agree", expanded=len(found) <= 3):
        columns = (
            Cells("Figure", lambda r: joined([UNITS.get(r["fact"], r["fact"].replace("_", " ")), r["accelerator"] or ""])),
            Cells("One says", lambda r: _said(r, "")),
            Cells("Another says", lambda r: _said(r, "other_")),
            Cells("Why", lambda r: r["why"]),
        )
        table(found, columns, "Both stand; none is dropped.")


def _said(r: Row, side: str) -> object:
    who = publisher({"publisher": r[f"{side}publisher"], "source": r[f"{side}source"]})
    when = r[f"{side}stated_date"] or day(r["other_stated_from" if side else "stated_from"])
    tier = f"at {r[f'{side}slo_p25_tok_s']:g} tok/s" if r[f"{side}slo_p25_tok_s"] is not None else ""
    return joined([number(r[f"{side}value"]), tier, f"({r[f'{side}offer'] or who}, {when})", web_link(r[f"{side}source_url"], "page")])


def section(model: str, as_of: dt.date | None) -> None:
    """Show them under a heading of their own."""
    found = of(model, as_of)
    if found:
        page.section("On which figures do publications not agree?")
        show(found)
