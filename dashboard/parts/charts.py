"""A chart on the page: its picture, a text for screen readers, its data as CSV; the chart's own menu gives it as PNG."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import streamlit as st

from dashboard import data
from dashboard.parts.colours import ground
from dashboard.parts.export import download


def inline(rows: Sequence[Mapping[str, Any]]) -> alt.Data:
    """Rows as chart data; times as ISO 8601 in UTC, missing values left out of the drawing."""
    return alt.Data(values=[{k: _json(v) for k, v in r.items()} for r in rows])


def _json(value: Any) -> Any:
    return value.isoformat() + ("Z" if hasattr(value, "hour") else "") if hasattr(value, "isoformat") else value


def show(chart: alt.Chart | alt.LayerChart, rows: Sequence[Mapping[str, Any]], *, name: str, says: str, source: str) -> None:
    """Draw the chart with its source under it; `says` is what it shows, for those who cannot see it."""
    kind = data.one("SELECT lake_kind FROM about").get("lake_kind")
    footer = textwrap.wrap(f"Source: {source}. Megawatch{', replay data, not live' if kind == 'replay' else ''}", 56)
    ink = "#6b665f" if ground() == "light" else "#b5afa6"
    title = alt.TitleParams(text=" ", subtitle=footer, orient="bottom", anchor="start", fontSize=1, subtitleFontSize=11, subtitleColor=ink, offset=4)
    titled = chart.properties(autosize=alt.AutoSizeParams(type="fit-x", contains="padding"), title=title)
    st.altair_chart(titled, width="stretch", key=f"chart_{name}", alt=says)
    download(rows, name)
