"""One colour a vendor, told apart by hue and by lightness, on light and on dark ground."""

from __future__ import annotations

from collections.abc import Iterable

import altair as alt
import streamlit as st

LIGHT = {"NVIDIA": "#0a6350", "AMD": "#d9722e", "Google": "#3d6fd1", "Apple": "#8a6fb5"}
DARK = {"NVIDIA": "#6fd6b4", "AMD": "#d9752f", "Google": "#8fb0f5", "Apple": "#bda5e6"}
OTHER = {"light": "#77726b", "dark": "#a39d95"}

# Kinds of token, from what costs least to what costs most.
TOKENS = {
    "light": {"cached input": "#c9d6e3", "new input": "#6f9ac4", "generated": "#12395f"},
    "dark": {"cached input": "#3a4a5a", "new input": "#7ea9d4", "generated": "#e3eefa"},
}


def ground() -> str:
    """`light` or `dark`, as the reader's page is."""
    return "dark" if st.context.theme.type == "dark" else "light"


def text_colour() -> str:
    """The colour of text on the page's ground."""
    return {"light": "#22201d", "dark": "#ece8e1"}[ground()]


def of_vendor(vendor: str | None) -> str:
    """The colour of a vendor."""
    known = DARK if ground() == "dark" else LIGHT
    return known.get(vendor or "", OTHER[ground()])


def vendor_scale(vendors: Iterable[str | None]) -> alt.Scale:
    """A colour scale over the vendors of a chart."""
    names = sorted({v or "unknown" for v in vendors})
    return alt.Scale(domain=names, range=[of_vendor(v) for v in names])
