"""What leaves the page as a file: CSV that no spreadsheet runs, and that says what lake it is from."""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from dashboard import data
from pipelines.reader import safe_cell


def csv_text(rows: Sequence[Mapping[str, Any]], about: Mapping[str, Any]) -> str:
    """The rows with all columns any of them has, and two more: the kind of lake, and how far its data go, from a row of the table `about`."""
    out = io.StringIO()
    writer = csv.writer(out)
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer.writerow([*(safe_cell(n) for n in names), "lake", "data_to_utc"])
    for row in rows:
        writer.writerow([*(safe_cell(_plain(row.get(n))) for n in names), about.get("lake_kind"), about.get("data_to")])
    return out.getvalue()


def _plain(value: Any) -> Any:
    """A cell's value; lists become one text."""
    return "; ".join(map(str, value)) if isinstance(value, list | tuple) else value


def safe_rows(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows for a grid: lists and other nested values as text."""
    return [{k: v if isinstance(v, str | int | float | dt.date | None) else str(_plain(v)) for k, v in r.items()} for r in rows]


def download(rows: Sequence[Mapping[str, Any]], name: str, label: str = "Data as CSV") -> None:
    """A button that gives the rows as CSV, written when it is pressed; its file name says so where the lake is a replay."""
    about = data.one("SELECT lake_kind, data_to FROM about")
    file_name = f"megawatch_{name}{'_replay' if about.get('lake_kind') == 'replay' else ''}.csv"
    st.download_button(
        label, partial(csv_text, rows, about), file_name, "text/csv", key=f"csv_{name}", on_click="ignore", type="tertiary", icon=":material/download:"
    )
