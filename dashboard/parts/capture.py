"""From a snapshot to its bytes: what a row was read from, where the terms of the source allow to show it."""

from __future__ import annotations

import streamlit as st

from dashboard import data
from dashboard.parts import page
from dashboard.parts.html import paragraph, web_link, write
from dashboard.parts.numbers import moment, plain
from dashboard.parts.trust import name, outcome_words
from pipelines.lake import DamagedBlob, Lake
from pipelines.settings import load_settings
from pipelines.sources.curated.pages import RESOURCE as WATCHED_PAGE
from pipelines.sources.registry import SOURCES

SHOWN = 4_000


def behind() -> None:
    """A box that takes a snapshot's id and shows what it was read from."""
    page.section("What was a number read from?")
    wanted = st.text_input("Snapshot (the id stands in every version row)", key="snapshot", bind="query-params", max_chars=64)
    if not wanted:
        return
    found = data.one("SELECT * FROM snapshots WHERE snapshot_id = ?", [wanted.strip()])
    if not found:
        page.empty("There is no such snapshot in the published database.")
        return
    write(
        paragraph(
            name(found["source"]),
            ", ",
            found["resource"],
            ", read ",
            moment(found["captured_at"]),
            ": ",
            outcome_words(found["outcome"]),
            kind="",
        ),
        paragraph(web_link(found["url"], found["url"]), kind="small"),
    )
    if found["sha256"] is None:
        page.small(f"Made of {found['parts']} captures; the capture log of the lake names them under this id.")
        return
    page.small(f"{plain(found['bytes'] or 0)} bytes, SHA-256 {found['sha256']}")
    _bytes(found)


def _bytes(found: data.Row) -> None:
    settings = load_settings()
    terms = SOURCES[found["source"]].terms if found["source"] in SOURCES else None
    if settings.public:
        page.small("This is a public page; it does not hand out captures.")
        return
    if terms is None or terms.redistribute != "yes" or found["resource"] == WATCHED_PAGE:
        page.small("The source's terms do not say that its pages may be passed on, so they are not offered here. They lie in the lake under this hash.")
        return
    try:
        body = Lake(settings.lake).get(found["sha256"])
    except DamagedBlob as why:
        page.empty(str(why))
        return
    st.download_button(
        "The bytes as they came", body, f"{found['sha256'][:12]}.bin", "application/octet-stream", key="bytes", on_click="ignore", type="tertiary"
    )
    st.code(body[:SHOWN].decode("utf-8", "replace"), language=None, wrap_lines=True)
