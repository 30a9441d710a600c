"""Points that the latest answer no longer holds: superseded, or gone?

A newer run takes the place of a whole line in the latest answer; a purge takes rows away for good. Before a point
counts as gone, the rows of its own day are asked for, then the history of its workload. Only active points are asked
for, and once a week the points of one day that were found superseded before, since those can be purged too.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from pipelines.sources.base import Capture, Collector
from pipelines.sources.inferencex.discovery import BENCHMARKS, HISTORY, SITE, Offer, readable
from pipelines.sources.inferencex.doubts import outliers
from pipelines.sources.inferencex.identity import point_ids, usable
from pipelines.sources.inferencex.wire import decode_rows, text

RESOURCE = "past_rows"
MOST_DAYS, MOST_HISTORIES = 8, 2
ASK_AGAIN_AFTER = dt.timedelta(days=7)

Row = dict[str, Any]
Params = tuple[tuple[str, str], ...]


@dataclass
class Found:
    """Rows found elsewhere, points found nowhere, and what the rows found lack or only their neighbours show."""

    followed: dict[str, Row] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)
    images: dict[str, str] = field(default_factory=dict)
    outliers: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Known:
    """A model's points as history holds them: the newest live row of each, and since when a series was superseded."""

    points: dict[str, Row]
    series: dict[str, str]

    @classmethod
    def of(cls, rows: list[Row]) -> Known:
        """From live rows; a point with several is a series of the past (see history.py)."""
        points: dict[str, Row] = {}
        replaced: dict[str, str] = {}
        for row in sorted(rows, key=lambda r: r["valid_from"]):
            if row["point_id"] in points:
                replaced[row["point_id"]] = str(row["superseded_on"])[:10]
            points[row["point_id"]] = row
        return cls(points, replaced)

    def with_status(self, status: str) -> dict[str, Row]:
        """Points of a status."""
        return {point: row for point, row in self.points.items() if row["status"] == status}


def workload(row: Row) -> Params | None:
    """How the history endpoint is asked for a row's workload."""
    if row["scenario"] == "agentic_traces":
        return (("benchmarkType", "agentic_traces"),)
    return (("isl", str(row["isl"])), ("osl", str(row["osl"]))) if row.get("isl") and row.get("osl") else None


def look_for(run: Collector, offer: Offer, model: str, latest: list[Row], known: Known) -> Found:
    """Ask for the points that the latest answer lacks."""
    present = set(point_ids(latest))
    missing = {point: row for point, row in known.with_status("active").items() if point not in present}
    missing |= _due_again(run, model, {point: row for point, row in known.with_status("superseded").items() if point not in present})
    if not missing:
        return Found()
    others: list[Row] = []
    settled: set[str] = set()
    by_day: dict[str, list[str]] = defaultdict(list)
    for point, row in missing.items():
        if row["measured_on"]:
            by_day[str(row["measured_on"])[:10]].append(point)
    for day in sorted(by_day, reverse=True) if len(by_day) <= MOST_DAYS else []:
        rows = _ask(run, BENCHMARKS, {"model": model, "date": day, "exact": "true"}, {"model": model, "asked": sorted(by_day[day])})
        if rows is not None:
            others += rows
            settled |= set(by_day[day])
    if offer.has(HISTORY):
        found = set(point_ids(latest + others))
        settled &= found
        by_workload: dict[Params, list[str]] = defaultdict(list)
        for point in missing.keys() - found:
            if params := workload(missing[point]):
                by_workload[params].append(point)
        for params in sorted(by_workload)[:MOST_HISTORIES]:
            rows = _ask(run, HISTORY, {"model": model, **dict(params)}, {"model": model})
            if rows is not None:
                others += rows
                settled |= set(by_workload[params])
    return _sort(missing, settled, latest, others)


def _sort(missing: dict[str, Row], settled: set[str], latest: list[Row], others: list[Row]) -> Found:
    everything = latest + others
    ids = point_ids(everything)
    rows = dict(zip(ids[len(latest) :], others, strict=True))
    odd = outliers(everything, ids)
    result = Found()
    for point in sorted(missing):
        if point in rows:
            result.followed[point] = rows[point]
            image = missing[point].get("framework_version")
            if image and not text(rows[point], "image"):
                result.images[point] = image
            if point in odd:
                result.outliers.append(point)
        elif point in settled:
            result.gone.append(point)
    return result


def _ask(run: Collector, path: str, params: dict[str, str], meta: dict[str, Any]) -> list[Row] | None:
    capture = run.get(SITE, path, resource=RESOURCE, params=params, meta=meta)
    return readable(run, capture, lambda body: usable(decode_rows(body, "past rows")))


def _due_again(run: Collector, model: str, superseded: dict[str, Row]) -> dict[str, Row]:
    """The superseded points of the one day that was asked for longest ago, a week or more."""
    last: dict[str, Capture] = {}
    for capture in run.captures(resource=RESOURCE):
        if capture.ok and capture.meta.get("model") == model and capture.meta.get("asked"):
            last[capture.url] = capture
    for capture in sorted(last.values(), key=lambda c: c.captured_at):
        points = {p: superseded[p] for p in capture.meta["asked"] if p in superseded}
        if points:
            return points if capture.captured_at + ASK_AGAIN_AFTER <= run.at else {}
    return {}
