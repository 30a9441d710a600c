"""Can the reader trust the page: how far the data go, which sources are fresh, what is a replay."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from dashboard import data
from dashboard.parts.html import joined, tag, view_link, write
from dashboard.parts.numbers import moment
from pipelines.sources.base import GOOD_OUTCOMES
from pipelines.sources.registry import SOURCES

NAMES = {"artificial_analysis": "AA", "inferencex": "InferenceX", "sglang": "SGLang", "curated": "Curated figures"}
OLD = dt.timedelta(hours=36)
REPLAY = "Made from recorded or made-up answers, not from the live sites"

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


def outcome_words(outcome: str) -> str:
    """What became of a fetch, in words."""
    return OUTCOMES.get(outcome, outcome)


def name(source: str) -> str:
    """A source's short name."""
    return NAMES.get(source, SOURCES[source].title if source in SOURCES else source)


@dataclass(frozen=True)
class Standing:
    """How one source stands: its resources, those of them that ail, and the last time any was read well."""

    source: str
    resources: tuple[data.Row, ...]

    @property
    def ill(self) -> tuple[data.Row, ...]:
        """Resources whose last attempt failed; all that are old where the whole source is.

        An old resource of a source that was read lately is one that is asked only when something changed.
        """
        read_lately = any(r["freshness"] == "fresh" for r in self.resources)
        return tuple(r for r in self.resources if r["last_outcome"] not in GOOD_OUTCOMES or (r["freshness"] != "fresh" and not read_lately))

    @property
    def last_success_at(self) -> dt.datetime | None:
        """The newest success of those that ail, of all where none does."""
        return max((r["last_success_at"] for r in self.ill or self.resources if r["last_success_at"]), default=None)

    def trouble(self, data_to: dt.datetime) -> str:
        """What ails it, in a few words."""
        what = (
            f"{name(self.source)} {self.ill[0]['resource']}" if len(self.ill) == 1 else f"{name(self.source)} ({len(self.ill)} of {len(self.resources)} pages)"
        )
        if self.last_success_at is None:
            return f"{what} never read"
        days = (data_to - self.last_success_at).days
        return f"{what} {days} day{'s' if days != 1 else ''} old" if days else f"{what} failing"


def standings(sources: Collection[str] = ()) -> list[Standing]:
    """How the sources stand, all or some of them."""
    found = data.rows("SELECT * FROM source_health ORDER BY source, resource") if data.has("source_health") else []
    by_source = groupby((r for r in found if not sources or r["source"] in sources), key=lambda r: r["source"])
    return [Standing(source, tuple(resources)) for source, resources in by_source]


def header(now: dt.datetime) -> None:
    """The line at the top of every page."""
    about = data.one("SELECT * FROM about")
    data_to = about.get("data_to")
    if not data_to:
        write(tag('<div class="mw-header"><span class="mw-name">Megawatch</span><span class="right warn">no data yet</span></div>'))
        return
    parts = [tag('<span class="right">data to {}</span>', moment(data_to)), *_sources(data_to)]
    if about["lake_kind"] == "replay":
        parts.append(tag('<span class="replay" title="{}">replay data, not live</span>', REPLAY))
    elif now - data_to > OLD:
        parts.append(tag('<span class="warn">no run for {} days</span>', (now - data_to).days))
    write(tag('<div class="mw-header" role="banner"><span class="mw-name">Megawatch</span>{}</div>', joined(parts, "")))


def _sources(data_to: dt.datetime) -> list[Markup]:
    found = standings()
    ill = [s for s in found if s.ill]
    said = [tag('<span class="{}">{} of {} sources fresh</span>', "warn" if ill else "fresh", len(found) - len(ill), len(found))] if found else []
    return said + [tag('<span class="warn">{}</span>', view_link("sources", s.trouble(data_to))) for s in ill]


def warnings(sources: Collection[str], tables: Sequence[str]) -> None:
    """What the reader must know before reading a view made from these sources and tables."""
    notices = [_notice(s) for s in standings(sources) if s.ill]
    marks = ", ".join("?" * len(tables))
    for row in data.rows(f"SELECT table_name FROM table_status WHERE is_stale AND table_name IN ({marks})", tables) if tables else []:
        notices.append(tag("The table {} could not be rebuilt in the last run; it shows what it held before.", row["table_name"]))
    if notices:
        write(joined((tag('<p class="notice" role="note">{}</p>', n) for n in notices), ""))


def _notice(standing: Standing) -> Markup:
    seen = f"What is shown of it was read {moment(standing.last_success_at)}." if standing.last_success_at else "Nothing of it is shown."
    outcomes = ", ".join(
        sorted({outcome_words(r["last_outcome"]) if r["last_outcome"] not in GOOD_OUTCOMES else "not asked for a while" for r in standing.ill})
    )
    which = standing.ill[0]["resource"] if len(standing.ill) == 1 else f"{len(standing.ill)} of {len(standing.resources)} pages"
    return tag("{}, {}: {}. {} {}", name(standing.source), which, outcomes, seen, view_link("sources", "What to do"))
