"""What a set of captures says of one model's rows.

A set is one day's latest answer and a note kept with it (collect.py): what workflow-info says of the runs, the rows
of points that the latest answer no longer holds but a past date or the history does, and the points that neither
holds. Every point is a part of its own: a snapshot speaks for the points in the latest answer and those that were
asked for, and leaves points superseded long ago as they are, without fetching them again.

- in the latest answer: active (superseded where the answer holds a newer attempt of the run)
- asked for and found elsewhere: superseded
- asked for and found nowhere: gone, and history retracts it
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any

from pipelines.sources.base import Bundle, NoData, Parsed, Part
from pipelines.sources.inferencex.doubts import outliers
from pipelines.sources.inferencex.identity import line, natural_key, point_ids, usable
from pipelines.sources.inferencex.rows import Context, model_of, record
from pipelines.sources.inferencex.wire import Odd, age, day, decode, decode_rows, run_of, shares, text

Row = dict[str, Any]
MOST_UNEXPLAINED_RATIO = 0.15
LATEST, NOTE, HISTORY = "latest", "note", "history"


def with_role(bundle: Bundle, role: str) -> list[Part]:
    """Parts of a set in a role; a capture that names none is the latest answer."""
    return [p for p in bundle.parts if p.meta.get("role", LATEST) == role]


def note_of(bundle: Bundle) -> Row:
    """The note kept with the set.

    Raises NoData where there is none: collecting was cut short, and what there is says nothing of missing points.
    """
    notes = with_role(bundle, NOTE)
    if not notes:
        raise NoData("The run ended before this model's answers were complete. The last good rows stay; the next run asks again.")
    return decode(notes[-1].body, dict, "note of the set")


def context_of(bundle: Bundle, note: Row) -> Context:
    """What the set's note says besides its rows."""
    return Context(model_of(bundle.scope), bundle.scope, **{k: note.get(k, {}) for k in ("runs", "images", "aggregates")}, asked=note.get("asked_days", []))


def newest(rows: list[Row], ids: list[str]) -> tuple[dict[str, Row], int]:
    """One row a point, the newest by start of the run and id, and how many others there were."""
    best: dict[str, Row] = {}
    for row, point in zip(rows, ids, strict=True):
        if point not in best or age(row, "run_started_at") >= age(best[point], "run_started_at"):
            best[point] = row
    return best, len(rows) - len(best)


def older_attempts(points: dict[str, Row]) -> set[str]:
    """Points measured again by a newer attempt of the same run."""
    attempts_of: dict[str | None, set[int]] = {}
    for row in points.values():
        run_id, number = run_of(text(row, "run_url"))
        attempts_of.setdefault(run_id, set()).add(number)
    attempts: dict[tuple[str, str], dict[int, list[str]]] = {}
    for point, row in points.items():
        if len(attempts_of[run_of(text(row, "run_url"))[0]]) > 1:
            run, attempt, deployment = natural_key(row)
            attempts.setdefault((run, deployment), {}).setdefault(attempt, []).append(point)
    return {point for found in attempts.values() for attempt, ids in found.items() if attempt < max(found) for point in ids}


def successors(points: dict[str, Row], latest: Iterable[Row]) -> dict[str, dt.date]:
    """Day of the newest run in the latest answer that stands in a point's line, for points that have one."""
    runs: dict[tuple[str | None, ...], dict[str | None, dt.date]] = {}
    for row in latest:
        if on := day(row, "date", Odd()):
            runs.setdefault(line(row), {})[run_of(text(row, "run_url"))[0]] = on
    found = {}
    for point, row in points.items():
        others = {run: on for run, on in runs.get(line(row), {}).items() if run != run_of(text(row, "run_url"))[0]}
        if others:
            found[point] = max(others.values())
    return found


def series(first: Row, replaced_on: dt.date) -> list[Row]:
    """A record of the past as two: what was active until its successor's day, and what the point has been since."""
    since = dt.datetime.combine(replaced_on, dt.time())
    then = {**first, "status": "active", "superseded_on": None, "dated_to": since}
    return [then, {**first, "dated_from": since}]


def parse_benchmarks(bundle: Bundle) -> Parsed:
    """Read the set of a model.

    Raises Unreadable or NoData (no rows for a model that availability lists, or a set cut short).
    """
    latest_part = with_role(bundle, LATEST)[-1]
    latest_rows = decode_rows(latest_part.body, "benchmarks")
    rows = usable(latest_rows)
    available = latest_part.meta.get("available")
    if not rows and available != 0:
        raise NoData(f"No rows, although availability {f'lists {available} configurations' if available else 'could not be had to say whether there are any'}.")
    note = note_of(bundle)
    context = context_of(bundle, note)

    ids = point_ids(rows)
    latest, repeated = newest(rows, ids)
    followed = {point: row for point, row in note.get("followed", {}).items() if point not in latest}
    context.outliers = outliers(rows, ids) | set(note.get("outliers", []))

    again = older_attempts(latest)
    replaced = successors(followed, latest.values())
    records = [record(row, point, "superseded" if point in again else "active", context) for point, row in latest.items()]
    records += [record(row, point, "superseded", context) | {"superseded_on": replaced.get(point)} for point, row in followed.items()]
    past = {point: dt.date.fromisoformat(on) for point, on in note.get("series", {}).items()}
    records = [r for record_ in records for r in (series(record_, past[record_["point_id"]]) if record_["point_id"] in past else [record_])]

    warnings = context.odd.sentences()
    if len(rows) < len(latest_rows):
        warnings.append(f"{len(latest_rows) - len(rows)} rows are of a kind of benchmark that is not known here, and were left out")
    if repeated:
        warnings.append(f"{repeated} rows repeat a point of the same answer; the newest of each was taken")
    if again:
        warnings.append(f"{len(again)} points were measured again by a newer attempt of their run, and count as superseded")
    unexplained, known = len(followed) - len(replaced), note.get("known_points", 0)
    lost = f"{unexplained} of {known} points are missing although their days still hold them and no newer run stands in their place"
    suspicions = [lost] if unexplained > MOST_UNEXPLAINED_RATIO * known else []
    if unexplained and not suspicions:
        warnings.append(f"{lost}; they count as superseded")
    if not rows and known:
        suspicions.append(f"all {known} points are gone, from this answer and from the past, although they were there before")
    return Parsed(
        rows={"operating_points": records},
        covers=frozenset([*latest, *followed, *note.get("gone", [])]),
        vanished="retract",
        may_be_empty=available == 0,
        suspicions=suspicions,
        fields={"operating_points": shares(latest_rows, "metrics")} if latest_rows else {},
        warnings=warnings,
        shape={"rows": len(latest_rows), "lines": len({line(r) for r in latest_rows})},
        unmatched_names=sorted(context.unmatched),
    )
