"""The site's own history of a model's workload, as series by run date.

A point of the past was active from its run date until a newer run of its line, and superseded from then on. Only
points that no snapshot has shown are read: what was seen live is known better than the history can tell.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from pipelines.sources.base import Bundle, NoData, Parsed
from pipelines.sources.inferencex.benchmarks import HISTORY, context_of, newest, note_of, older_attempts, series, with_role
from pipelines.sources.inferencex.doubts import outliers
from pipelines.sources.inferencex.identity import line, point_ids, usable
from pipelines.sources.inferencex.rows import record
from pipelines.sources.inferencex.wire import day, decode_rows


def parse_history(bundle: Bundle) -> Parsed:
    """Read one answer of the history endpoint.

    Raises Unreadable or NoData.
    """
    rows = usable(decode_rows(with_role(bundle, HISTORY)[-1].body, "history"))
    if not rows:
        raise NoData("No rows in the history of a workload that availability lists.")
    note = note_of(bundle)
    context = context_of(bundle, note)
    ids = point_ids(rows)
    points, repeated = newest(rows, ids)
    context.outliers = outliers(rows, ids)
    known = set(note.get("known", []))
    again = older_attempts(points)
    days: dict[tuple[str | None, ...], set[dt.date]] = {}
    for row in rows:
        if on := day(row, "date", context.odd):
            days.setdefault(line(row), set()).add(on)

    records: list[dict[str, Any]] = []
    for point, row in points.items():
        if point in known:
            continue
        first = record(row, point, "superseded", context)
        mine = first["measured_on"]
        later = [d for d in days[line(row)] if d > mine] if mine and point not in again else []
        replaced = min(later, default=None)
        first["superseded_on"] = replaced
        before_our_days = replaced is not None and dt.datetime.combine(replaced, dt.time()) < bundle.started_at
        records += series(first, replaced) if replaced and before_our_days else [first]
    warnings = context.odd.sentences()
    if repeated:
        warnings.append(f"{repeated} rows repeat a point of the same answer; the newest of each was taken")
    return Parsed(
        rows={"operating_points": records},
        covers=frozenset(set(points) - known),
        vanished="close",
        compared=False,
        may_be_empty=True,
        warnings=warnings,
        shape={"rows": len(rows), "points_not_seen_live": len(set(points) - known)},
        unmatched_names=sorted(context.unmatched),
    )
