"""Two snapshots of a page held against each other, by the versions that ended and began between them."""

from __future__ import annotations

import streamlit as st

from dashboard import data
from dashboard.parts import page
from dashboard.parts.entities import KINDS, changed_columns, known
from dashboard.parts.html import joined, tag, web_link, write
from dashboard.parts.numbers import figure_name, moment, plain
from dashboard.parts.table import Cells, table
from dashboard.parts.trust import name

LIMIT = 300


def snapshots() -> None:
    """Choose a page and two of its snapshots; show what ended, began and changed between them."""
    page.section("What changed between two snapshots of a page?")
    pages = data.rows("""
        SELECT source, resource, scope, any_value(url) AS url, count(*) AS times FROM snapshots WHERE outcome = 'changed'
        GROUP BY ALL HAVING count(*) > 1 ORDER BY max(captured_at) DESC, source, resource LIMIT 300""")
    if not pages:
        page.small("No page has changed yet since it was first read.")
        return
    by_scope = {p["scope"]: p for p in pages}
    scope = st.selectbox(
        "Page", list(by_scope), format_func=lambda s: f"{name(by_scope[s]['source'])}, {by_scope[s]['resource']}: {s}", key="page", bind="query-params"
    )
    taken = data.rows(
        "SELECT snapshot_id, held_at, captured_at, changed_rows FROM snapshots WHERE scope = ? AND outcome = 'changed' ORDER BY held_at LIMIT 2000", [scope]
    )
    labels = {s["snapshot_id"]: moment(s["held_at"]) for s in taken}
    ids = list(labels)
    left, right = st.columns(2)
    with left:
        first = st.selectbox("Earlier", ids, index=len(ids) - 2, format_func=lambda i: labels.get(i, i), key="earlier", bind="query-params")
    with right:
        second = st.selectbox("Later", ids, index=len(ids) - 1, format_func=lambda i: labels.get(i, i), key="later", bind="query-params")
    times = {s["snapshot_id"]: s["held_at"] for s in taken}
    write(tag('<p class="small">{}</p>', web_link(by_scope[scope]["url"], by_scope[scope]["url"])))
    if times[first] >= times[second]:
        page.empty("Choose an earlier snapshot on the left than on the right.")
        return
    changes = [c for kind in known() for c in _changes(kind, scope, times[first], times[second])]
    if not changes:
        page.small("No row of this page began, ended or changed between the two.")
        return
    columns = (
        Cells("Table", lambda r: KINDS[r["table"]].title),
        Cells("What", lambda r: r["label"]),
        Cells("Then", lambda r: r["then"]),
        Cells("Later", lambda r: r["later"]),
    )
    table(changes, columns, "Rows that differ between the two snapshots.")


def _changes(kind: str, scope: str, first: object, second: object) -> list[data.Row]:
    """Rows of a table that held at one of the two times in another way than at the other."""
    k = KINDS[kind]
    rows = data.rows(
        f"""WITH held AS (
              SELECT {k.identity} || coalesce(publication, '') AS identity, {k.label} AS label, *,
                     valid_from <= ? AND (valid_to IS NULL OR valid_to > ?) AS then_held,
                     valid_from <= ? AND (valid_to IS NULL OR valid_to > ?) AS later_held
              FROM (SELECT {"*" if "publication" in data.tables()[kind].names else "*, NULL AS publication"} FROM tracker.main.{kind} WHERE scope = ?))
            SELECT * FROM held WHERE then_held <> later_held ORDER BY label LIMIT {LIMIT}""",
        [first, first, second, second, scope],
    )
    found = []
    for identity in dict.fromkeys(r["identity"] for r in rows):
        then = next((r for r in rows if r["identity"] == identity and r["then_held"]), None)
        later = next((r for r in rows if r["identity"] == identity and r["later_held"]), None)
        columns = (
            [c for c in changed_columns([r for r in (then, later) if r]) if c not in ("then_held", "later_held", "identity", "label")] if then and later else []
        )
        shown = columns or [c for c in k.figures if any(r and r[c] is not None for r in (then, later))][:3]
        found.append({"table": kind, "label": (later or then or {})["label"], "then": _told(then, shown), "later": _told(later, shown)})
    return found


def _told(row: data.Row | None, columns: list[str]) -> object:
    if row is None:
        return tag('<span class="missing">not there</span>')
    return joined((tag("{}: {}", figure_name(c), _value(row[c])) for c in columns), "; ") if columns else "there"


def _value(value: object) -> object:
    return "not published" if value is None else plain(value) if isinstance(value, float) else value
