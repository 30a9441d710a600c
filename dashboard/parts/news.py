"""Events as news: one line each, those of one happening drawn together, with old and new and the way to the history."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from markupsafe import Markup

from dashboard import data
from dashboard.parts.badges import badge
from dashboard.parts.entities import KINDS
from dashboard.parts.html import joined, tag, view_link, web_link
from dashboard.parts.numbers import UNITS, day, dollars, figure_name, number, rounded
from dashboard.parts.trust import name

Row = data.Row


def listed(events: Sequence[Row]) -> Markup:
    """A list of news in the order given; results that differ in their system alone stand in one entry."""
    entries = (_entry(list(group)) for _, group in groupby(_together(events), key=_happening))
    return tag('<ol class="news">{}</ol>', joined(entries, ""))


def _together(events: Sequence[Row]) -> list[Row]:
    """The events with those of one happening side by side, the greatest figure first, at the place of the first of them."""
    place: dict[object, int] = {}
    for n, event in enumerate(events):
        place.setdefault(_happening(event), n)
    return sorted(events, key=lambda e: (place[_happening(e)], -(_figure(e["new_value"]) or 0)))


def _happening(event: Row) -> object:
    """What results share that were published together: model, metric and service level; an event of any other kind stands alone."""
    if event["field"] not in UNITS or event["old_value"] is not None or event["new_value"] is None:
        return event["event_id"]
    rest = [part for part in (event["key"] or "").split("|") if part not in (event["entity"], event["accelerator"])]
    return (event["detected_at"], event["kind"], event["source"], event["model"], event["field"], *rest)


def _entry(group: list[Row]) -> Markup:
    first, *others = group
    mark = badge("provisional until seen twice") if any(e["provisional"] for e in group) else ""
    links = joined([name(first["source"]), web_link(first["source_url"], "page"), *filter(None, [history_link(first)])], " · ")
    return tag(
        '<li class="{}"><span class="when">{}</span><span class="what">{}{} {}</span><span class="where">{}</span>{}</li>',
        first["severity"],
        day(first["detected_at"]),
        first["summary"],
        _also(first, others),
        mark,
        links,
        _details(first) if not others else "",
    )


def _also(first: Row, others: Iterable[Row]) -> Markup:
    told = []
    for event in others:
        by = _configured_by(event)
        whose = f" by {by}" if by and by != _configured_by(first) else ""
        figure = _figure(event["new_value"])
        shown = f"{event['accelerator'] or event['entity']} {rounded(figure) if figure is not None else event['new_value']}{whose}"
        told.append(history_link(event, shown) or shown)
    return tag("; also {}", joined(told, ", ")) if told else Markup("")


def _configured_by(event: Row) -> str:
    return event["summary"].rpartition(", configured by ")[2] if ", configured by " in event["summary"] else ""


def _details(event: Row) -> Markup:
    """Old and new, and what changed with it."""
    told: list[object] = []
    if event["old_value"] is not None and event["new_value"] is not None and event["old_value"] != event["new_value"]:
        field = event["field"] or ""
        what = UNITS.get(field) or figure_name(field)
        told.append(tag("{}: {} → {}", what, _shown(event["old_value"], field), _shown(event["new_value"], field)))
    if event["co_changed"]:
        told.append("with it " + ", ".join(c.replace("_", " ") for c in event["co_changed"][:6]))
    return tag('<span class="more">{}</span>', joined(told, " · ")) if told else Markup("")


def _figure(value: str | None) -> float | None:
    """A value of an event, which holds all of them as text, where it is a number."""
    try:
        return float(value or "")
    except ValueError:
        return None


def _shown(value: str, field: str) -> object:
    figure = _figure(value)
    if figure is None:
        return value
    return dollars(figure) if field.endswith("_usd_mtok") else number(figure)


def history_link(event: Row, label: str = "history") -> Markup:
    """A link to the history of what an event is about; nothing where it is about no entity of a history table."""
    table, words = _followed(event)
    return view_link("history", label, kind=KINDS[table].title, find=words) if table and words else Markup("")


def _followed(event: Row) -> tuple[str, str]:
    """The history table that holds the entity of an event, and its id or the words that find it there."""
    kind, field, key = event["kind"] or "", event["field"] or "", event["key"] or ""
    about = " ".join(filter(None, (event["model"], event["entity"] if event["entity"] != event["model"] else None)))
    if kind.startswith("gate_"):
        return "accuracy_gates", key.split("|")[0]
    if kind.startswith("pull_request_"):
        return "pull_requests", key.replace("#", "|")
    if kind == "configuration_added":
        return "configurations", key
    if kind == "methodology_changed":
        return "methodologies", event["entity"] or ""
    if kind in ("deployments_merged", "first_results"):
        return "operating_points", " ".join(filter(None, (event["model"], event["accelerator"])))
    if field in UNITS or kind == "configured_by_changed":
        return "agentperf_results", f"{about} {UNITS.get(field, '')}".strip()
    if event["source"] == "artificial_analysis" and event["model"]:
        return "models", key
    if kind.startswith("price_") and field in ("owning", "rental"):
        return "prices", f"{field} {event['entity']}"
    return "", ""
