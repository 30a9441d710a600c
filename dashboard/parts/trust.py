"""Can the reader trust the page: how far the data go, which sources are fresh, what is a replay."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence

from markupsafe import Markup

from dashboard import data
from dashboard.parts.html import joined, tag, view_link, write
from dashboard.parts.numbers import day, moment
from pipelines.sources import SOURCES
from pipelines.sources.base import GOOD_OUTCOMES

NAMES = {"artificial_analysis": "AA", "inferencex": "InferenceX", "sglang": "SGLang", "curated": "Curated figures"}
OLD = dt.timedelta(hours=36)

OUTCOMES = {
    "changed": "new content",
    "unchanged": "same content as before",
    "not_modified": "not modified since",
    "no_data": "a page without its data",
    "invalid": "held back: the content did not pass its checks",
    "unreachable": "not reachable",
    "disallowed": "closed to us by robots.txt",
    "moved": "gone from its address",
    "rate_limited": "asked to wait longer than we do",
}


def name(source: str) -> str:
    """A source's short name."""
    return NAMES.get(source, SOURCES[source].title if source in SOURCES else source)


def health(sources: Collection[str] = ()) -> list[data.Row]:
    """Freshness by source and resource, of all or of some sources."""
    if not data.has("source_health"):
        return []
    found = data.rows("SELECT * FROM source_health ORDER BY source, resource")
    return [r for r in found if not sources or r["source"] in sources]


def is_well(row: data.Row) -> bool:
    """Whether a resource is fresh and its last attempt went well."""
    return row["freshness"] == "fresh" and row["last_outcome"] in GOOD_OUTCOMES


def trouble(row: data.Row, data_to: dt.datetime) -> str:
    """What ails a resource, in a few words."""
    what = f"{name(row['source'])} {row['resource']}"
    if row["last_success_at"] is None:
        return f"{what} never read"
    age = data_to - row["last_success_at"]
    old = f"{age.days} day{'s' if age.days != 1 else ''} old" if age.days else "failing"
    return f"{what} {old}"


def header(now: dt.datetime) -> None:
    """The line at the top of every page."""
    about = data.one("SELECT * FROM about")
    data_to = about.get("data_to")
    if not data_to:
        write(tag('<div class="mw-header"><span class="mw-name">Megawatch</span><span class="right warn">no data yet</span></div>'))
        return
    parts = [tag("<span>data to {}</span>", moment(data_to)), *_sources(data_to)]
    if about["lake_kind"] == "replay":
        parts.append(tag('<span class="replay" title="Made from recorded or made-up answers, not from the live sites">replay data</span>'))
    elif now - data_to > OLD:
        parts.append(tag('<span class="warn">no run for {} days</span>', (now - data_to).days))
    parts[0] = tag('<span class="right">{}</span>', parts[0])
    write(tag('<div class="mw-header" role="banner"><span class="mw-name">Megawatch</span>{}</div>', joined(parts, "")))


def _sources(data_to: dt.datetime) -> list[Markup]:
    found = health()
    ill = [r for r in found if not is_well(r)]
    said = [tag('<span class="fresh">{} of {} sources fresh</span>', len(found) - len(ill), len(found))] if found else []
    named = [view_link("sources", trouble(r, data_to)) for r in ill[:2]]
    said += [tag('<span class="warn">{}</span>', n) for n in named]
    if len(ill) > 2:
        said.append(view_link("sources", f"and {len(ill) - 2} more"))
    return said


def warnings(sources: Collection[str], tables: Sequence[str]) -> None:
    """What the reader must know before reading a view made from these sources and tables."""
    about = data.one("SELECT * FROM about")
    notices = []
    for row in health(sources):
        if not is_well(row):
            seen = f"What is shown of it is of {day(row['last_success_at'])}." if row["last_success_at"] else "Nothing of it is shown."
            what = f"{name(row['source'])}, {row['resource']}: {OUTCOMES.get(row['last_outcome'], row['last_outcome'])}"
            when = f"last tried {moment(row['last_attempt_at'])}"
            notices.append(tag("{}, {}. {} {}", what, when, seen, view_link("sources", "What to do")))
    marks = ", ".join("?" * len(tables))
    for row in data.rows(f"SELECT table_name FROM table_status WHERE is_stale AND table_name IN ({marks})", tables) if tables else []:
        notices.append(tag("The table {} could not be rebuilt in the last run; it shows what it held before.", row["table_name"]))
    if about.get("lake_kind") == "replay":
        notices.append(tag("Replay data: made from recorded or made-up answers, not from the live sites."))
    if notices:
        write(joined((tag('<p class="notice" role="note">{}</p>', n) for n in notices), ""))
