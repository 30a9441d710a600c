"""One curated file: a publication with its figures, facts and caveats, as records of the history tables."""

from __future__ import annotations

import datetime as dt
import itertools
import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from pipelines.schema import DATE, TEXT, canonical_json
from pipelines.sources.curated.fields import URL, Field, read
from pipelines.sources.curated.plausibility import Placed, doubts
from pipelines.sources.curated.reading import Cell, Entry, Problems, entries, entry, load, unknown
from pipelines.sources.curated.sections import COMMON, NESTED, SECTIONS, Misfit, Section
from pipelines.tables import TABLES

FILE_NAME = re.compile(r"[a-z0-9][a-z0-9.-]*\.yaml")
_PUBLISHED = re.compile(rb"^published:[ \t]*(\d{4}-\d{2}-\d{2})[ \t]*(?:#.*)?\r?$", re.MULTILINE)

_common = {f.name: f for f in COMMON}
HEADER: Mapping[str, Field] = {
    f.name: f
    for f in (
        Field("publisher", TEXT, "Who published it", required=True),
        Field("url", URL, "Public page of the publication", required=True),
        Field("published", DATE, "Day it was published; of a series, day of its newest figure", required=True),
        _common["provenance"].needed(),
        _common["via"],
        _common["interest"],
        _common["stated_date"],
    )
}
_INHERITED = ("provenance", "url", "via", "interest", "stated_date")


def parse_publication(body: bytes, file: str, at: dt.datetime) -> tuple[dict[str, list[dict[str, Any]]], list[str]]:
    """Records by table (every curated table is named) and accelerator names that the reference lacks.

    `file` is the file's name, `at` when the file was read: what is dated later is refused.

    Raises Unreadable with every problem of the file, each with file, line and field.
    """
    problems = Problems(file)
    if not FILE_NAME.fullmatch(file):
        problems.add(1, "", "the file's name is the publication's name: small letters, digits, hyphens and dots, then .yaml")
    top = load(body, problems)
    header = _header(top, problems, at)
    if "published" in header and publication_date(body) != header["published"]:
        problems.add(top.line_of("published"), "published", f"write it on a line of its own, as published: {header['published']}")
    placed, unmatched = _rows(top, header, file.removesuffix(".yaml"), problems)
    if not placed and not problems.found:
        problems.add(top.line, "", f"says nothing: add at least one section of {', '.join(SECTIONS)}")
    for doubtful, why in doubts(placed):
        problems.add(doubtful.line, doubtful.where, why)
    for table in SECTIONS:
        _chain([p for p in placed if p.table == table], TABLES[table].key, problems)
    problems.stop_if_any()
    return {table: [p.record for p in placed if p.table == table] for table in SECTIONS}, sorted(set(unmatched))


def publication_date(body: bytes) -> dt.date | None:
    """The date a file says it was published, told at a glance, or None where its header does not say it in a line."""
    found = _PUBLISHED.search(body)
    try:
        return dt.date.fromisoformat(found.group(1).decode()) if found else None
    except ValueError:
        return None


def _header(top: Entry, problems: Problems, at: dt.datetime) -> dict[str, Any]:
    known = [*HEADER, "defaults", *SECTIONS]
    for name, cell in top.cells.items():
        if name not in known:
            problems.add(cell.line, name, unknown(name, known))
    header = read(Entry("", top.line, {k: c for k, c in top.cells.items() if k in HEADER}), HEADER, problems)
    if header.get("published", dt.date.min) > at.date():
        problems.add(top.line_of("published"), "published", f"{header['published']} is later than the day of this reading, {at.date()}")
    return header


def _defaults(top: Entry, problems: Problems) -> dict[str, Cell]:
    if "defaults" not in top.cells:
        return {}
    cell = top.cells["defaults"]
    if not hasattr(cell.value, "lc") or not hasattr(cell.value, "items"):
        problems.add(cell.line, "defaults", "must be fields (name: value) that stand for every entry that has them")
        return {}
    given = entry(cell.value, "defaults", problems)
    usable = {f for name, s in SECTIONS.items() if name in top.cells for f in s.fields}
    for name, default in given.cells.items():
        if name not in usable:
            problems.add(default.line, given.at(name), unknown(name, usable))
    return dict(given.cells)


def _rows(top: Entry, header: dict[str, Any], publication: str, problems: Problems) -> tuple[list[Placed], list[str]]:
    defaults = _defaults(top, problems)
    placed: list[Placed] = []
    unmatched: list[str] = []
    for table, section in SECTIONS.items():
        if table not in top.cells:
            continue
        for item in entries(top.cells[table], problems):
            whole = Entry(item.where, item.line, {**{k: c for k, c in defaults.items() if k in section.fields}, **item.cells})
            before = problems.told
            values = _nested(whole, read(whole, section.fields, problems), problems)
            if problems.told > before or not {"publisher", "published"} <= set(header):
                continue
            try:
                row = section.build({k: v for k, v in values.items() if k not in _common}, publication)
            except Misfit as misfit:
                problems.add(whole.line_of(misfit.field), whole.at(misfit.field), str(misfit))
                continue
            unmatched += row.unmatched
            record = row.columns | _stated(section, values, header, publication, row.extra)
            placed.append(Placed(table, whole.where, whole.line, record | _dating(whole, values, header, problems)))
    return placed, unmatched


def _nested(whole: Entry, values: dict[str, Any], problems: Problems) -> dict[str, Any]:
    for name, fields in NESTED.items():
        if name in values and name in whole.cells:
            values[name] = [read(e, fields, problems) for e in entries(whole.cells[name], problems)]
    return values


def _stated(section: Section, values: dict[str, Any], header: dict[str, Any], publication: str, extra: dict[str, Any]) -> dict[str, Any]:
    """The columns that say who states the figure, where and how firmly."""
    said = {k: values.get(k, header.get(k)) for k in _INHERITED}
    columns = {
        "source": "curated",
        "origin": "curated",
        "provenance": said["provenance"],
        "source_url": said["url"],
        "publication": publication,
        "publisher": header["publisher"],
        "stated_date": said["stated_date"],
        "reported_via": said["via"],
        "publisher_interest": said["interest"],
        "qualifier": values.get("qualifier"),
        "bound": values.get("bound"),
    }
    if "note" in values and "notes" in section.table.names:
        columns["notes"] = values["note"]
    elif "note" in values:
        extra = {**extra, "note": values["note"]}
    return columns | {"extra": canonical_json(extra) if extra else None}


def _dating(whole: Entry, values: dict[str, Any], header: dict[str, Any], problems: Problems) -> dict[str, Any]:
    since, until = values.get("date", header["published"]), values.get("until")
    if since > header["published"]:
        late = f"{since} is later than published, {header['published']}; of a series, published is the day of the newest figure"
        problems.add(whole.line_of("date"), whole.at("date"), late)
    if until and until <= since:
        problems.add(whole.line_of("until"), whole.at("until"), f"{until} is not after {since}")
    return {"dated_from": _midnight(since), "dated_to": _midnight(until) if until else None, "date_source": "published"}


def _midnight(day: dt.date) -> dt.datetime:
    return dt.datetime.combine(day, dt.time())


def _chain(placed: list[Placed], key: tuple[str, ...], problems: Problems) -> None:
    """End each figure of a series where the next of its key begins; two of one key and date are a problem."""
    series: dict[tuple[Any, ...], list[Placed]] = defaultdict(list)
    for p in placed:
        series[tuple(p.record.get(k) for k in key)].append(p)
    for steps in series.values():
        steps.sort(key=lambda p: p.record["dated_from"])
        for earlier, later in itertools.pairwise(steps):
            begins = later.record["dated_from"]
            if begins == earlier.record["dated_from"]:
                twice = f"is the same figure as {earlier.where} (line {earlier.line}), of the same date; give what tells them apart, or another date"
                problems.add(later.line, later.where, twice)
            elif earlier.record["dated_to"] is None or earlier.record["dated_to"] > begins:
                earlier.record["dated_to"] = begins
