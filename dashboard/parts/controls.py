"""Controls that several views share; each keeps its state in the address."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Literal

import streamlit as st

from dashboard import data


def as_of(label: str = "As of the end of", key: str = "day", width: int | Literal["stretch"] = "stretch") -> dt.date | None:
    """A past day to show the view for; None for now."""
    first, last = reach()
    return st.date_input(label, None, min_value=first, max_value=last, key=key, bind="query-params", format="YYYY-MM-DD", width=width)


def reach() -> tuple[dt.date, dt.date]:
    """The first and last day there is something to tell of."""
    found = data.one("SELECT data_to::DATE AS last FROM about")
    last = found.get("last") or dt.datetime.now(dt.UTC).date()
    return dt.date(2025, 1, 1), last


def choice(label: str, options: Sequence[str], key: str, default: str | None = None) -> str | None:
    """One of some names, as the sources write them; None where there are none."""
    if not options:
        return None
    start = options.index(default) if default in options else 0
    return st.selectbox(label, options, index=start, key=key, bind="query-params")
