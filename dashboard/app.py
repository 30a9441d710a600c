"""The dashboard's entry: `streamlit run dashboard/app.py`, or `megawatch dashboard`."""

from __future__ import annotations

import datetime as dt

import streamlit as st

from dashboard import data
from dashboard.parts import html, page, trust
from pipelines.settings import SettingsError, load_settings

VIEWS = (
    ("what_changed", "What changed"),
    ("leaderboard", "Leaderboard"),
    ("headline", "Headline"),
    ("curves", "Curves"),
    ("rent_or_own", "Rent or own"),
    ("model", "Model"),
    ("gates", "Gates"),
    ("history", "History"),
    ("sources", "Sources"),
    ("data_tables", "Data"),
)


def main() -> None:
    """One run of the page: settings, the published file, the header, the chosen view."""
    st.set_page_config("Megawatch", page_icon="⚡", layout="wide")
    view = st.navigation([st.Page(f"views/{path}.py", title=title, url_path=path, default=path == VIEWS[0][0]) for path, title in VIEWS], position="top")
    html.style()
    try:
        data.use(load_settings().lake)
    except (data.NotPublished, SettingsError) as why:
        page.empty(str(why))
        return
    trust.header(dt.datetime.now(dt.UTC).replace(tzinfo=None))
    try:
        view.run()
    except data.Unanswered as why:
        page.empty(
            f"This view could not be read from the published database, which another version of Megawatch may have made. Run `megawatch refresh`. ({why})"
        )


main()
