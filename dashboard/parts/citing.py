"""Who said it, when, through whom and where to look: under every figure, and as a line to cite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st
from markupsafe import Markup

from dashboard import data
from dashboard.parts import page
from dashboard.parts.badges import badges, words
from dashboard.parts.entities import history_link
from dashboard.parts.html import joined, tag, web_link
from dashboard.parts.numbers import day, moment
from dashboard.parts.table import Cells
from dashboard.parts.trust import name

Row = Mapping[str, Any]

PUBLISHERS = {"artificial_analysis": "Artificial Analysis", "sglang": "SGLang", "inferencex": "SemiAnalysis InferenceX", "curated": "entered by hand"}


def publisher(row: Row) -> str:
    """Who published the figure."""
    return row.get("publisher") or PUBLISHERS.get(row.get("source") or "", name(row.get("source") or "unknown"))


def when(row: Row) -> str:
    """The day a figure is of: the day it was measured, or since when it stands."""
    if row.get("stated_date"):
        return str(row["stated_date"])
    if row.get("measured_on"):
        return f"measured {day(row['measured_on'])}"
    return f"since {day(row.get('valid_from'))}"


def source_line(row: Row, table: str, *, with_history: bool = True) -> Markup:
    """Publisher, day, way it came, badges, page, history."""
    parts: list[object] = [publisher(row), ", ", when(row)]
    if row.get("reported_via"):
        parts += [", via ", row["reported_via"]]
    if row.get("publisher_interest"):
        parts += [tag(" ({})", row["publisher_interest"][:1].lower() + row["publisher_interest"][1:])]
    links = [web_link(row.get("source_url"), "page")] if row.get("source_url") else []
    return tag("{} {} {}", joined(parts, ""), badges(row), joined([*links, *filter(None, [history_link(table, row) if with_history else ""])], " · "))


def shared_source(rows: Sequence[Row], table: str) -> tuple[list[Cells], Markup]:
    """Where every row has the same source, that source as one line and a column of links; a column of sources otherwise."""
    lines = {source_line(r, table, with_history=False) for r in rows}
    if len(lines) == 1 and len(rows) > 1:
        return [Cells("", lambda r: history_link(table, r))], tag('<p class="source">All of them: {}</p>', lines.pop())
    return [Cells("Who says so", lambda r: source_line(r, table))], Markup("")


# What a figure may be used for, by who stands behind it.
USES = {
    "measured": "As they stand, with their service level and date: measured or verified by whoever runs the benchmark.",
    "claimed": "As a claim, with whose it is: nobody else has verified them.",
    "reckoned": "As a reckoning, with what it is made of: interpolated, or derived here from the figures named.",
    "told": "As news of their day; what each figure may be used for stands with it, one click away in its history.",
    "copied": "After a look at the page they stand on: entered by hand from a publication.",
}
OF_PROVENANCE = {
    "evaluator_measured": "measured",
    "vendor_submitted": "measured",
    "vendor_reported": "claimed",
    "framework_reported": "claimed",
    "interpolated": "reckoned",
    "derived": "reckoned",
}


def use(row: Row) -> str:
    """What a figure may be used for, a key of USES."""
    of_provenance = OF_PROVENANCE.get(row.get("provenance") or "", "told")
    return "copied" if row.get("origin") == "curated" and of_provenance not in ("reckoned", "told") else of_provenance


def cite(figure: str, row: Row) -> str:
    """A line to put under a slide."""
    about = data.one("SELECT lake_kind, data_to FROM about")
    via = f", via {row['reported_via']}" if row.get("reported_via") else ""
    replay = "; replay data, not for citing" if about.get("lake_kind") == "replay" else ""
    said = "; ".join(filter(None, (f"{publisher(row)}, {when(row)}{via}", ", ".join(words(row)))))
    parts = (f"{figure.rstrip('.')}.", f"{said}.", row.get("source_url"), f"(Megawatch, data to {moment(about.get('data_to'))}{replay})")
    return " ".join(filter(None, parts))


def citation(figures: Sequence[tuple[str, Row]]) -> None:
    """Which of the figures can be shown to others and as what, each as a line ready to copy; folded away."""
    if not figures:
        return
    with st.expander("Which of these can go on a slide, and how are they cited?"):
        if data.one("SELECT lake_kind FROM about").get("lake_kind") == "replay":
            page.empty("None of them while this is a replay: the figures are recorded or made up. On live data it would be as follows.")
        for key, told in USES.items():
            lines = [cite(figure, row) for figure, row in figures if use(row) == key]
            if lines:
                page.small(told)
                st.code("\n\n".join(lines), language=None, wrap_lines=True)
        page.small("What stands beside a figure with a † goes along with it.")
