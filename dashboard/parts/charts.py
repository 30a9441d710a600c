"""A chart on the page: its picture, a text for screen readers, its data as CSV; the chart's own menu gives it as PNG."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import streamlit as st
from altair.utils import schemapi

from dashboard import data
from dashboard.parts.colours import ground, text_colour
from dashboard.parts.export import download

# Specs are checked against Vega-Lite's schema in the tests, not at every drawing: it takes longer than all the rest.
schemapi.DEBUG_MODE = False

UTC = alt.Scale(type="utc")


class Drawing:
    """One chart in the making; its rows are kept beside the spec, which altair would copy again and again."""

    def __init__(self, name: str):
        self.name = name
        self.datasets: dict[str, list[dict[str, Any]]] = {}

    def of(self, rows: Sequence[Mapping[str, Any]]) -> alt.Chart:
        """A chart of these rows; times as ISO 8601 in UTC, missing values left out of the drawing."""
        key = f"rows{len(self.datasets)}"
        self.datasets[key] = [{k: _json(v) for k, v in r.items()} for r in rows]
        return alt.Chart(alt.NamedData(name=key))

    def show(self, chart: alt.Chart | alt.LayerChart | alt.FacetChart, rows: Sequence[Mapping[str, Any]], *, says: str, source: str) -> None:
        """Draw it with its source under it; `rows` go out as CSV, `says` is what it shows, for those who cannot see it."""
        kind = data.one("SELECT lake_kind FROM about").get("lake_kind")
        footer = textwrap.wrap(f"Source: {source}. Megawatch{', replay data, not live' if kind == 'replay' else ''}", 56)
        ink = "#6b665f" if ground() == "light" else "#b5afa6"
        title = alt.TitleParams(text=" ", subtitle=footer, orient="bottom", anchor="start", fontSize=1, subtitleFontSize=11, subtitleColor=ink, offset=4)
        titled = chart.properties(autosize=alt.AutoSizeParams(type="fit-x", contains="padding"), title=title).configure_text(color=text_colour())
        spec = titled.to_dict(validate=False) | {"datasets": self.datasets}
        st.vega_lite_chart(spec=spec, width="stretch", key=f"chart_{self.name}", alt=says)
        download(rows, self.name)


def when(test: str, then: Any, otherwise: Any) -> dict[str, Any]:
    """Arguments of a value channel that depends on a test of the row."""
    return {"value": otherwise, "condition": alt.ConditionalPredicateValueDefnumber(test=test, value=then)}


def _json(value: Any) -> Any:
    return value.isoformat() + ("Z" if hasattr(value, "hour") else "") if hasattr(value, "isoformat") else value
