"""What a daily run asks of InferenceX, politely and in turn."""

from __future__ import annotations

import datetime as dt
from dataclasses import asdict
from typing import Any

from pipelines.schema import canonical_json
from pipelines.sources.base import Capture, Collector, Unreadable
from pipelines.sources.inferencex.attribution import Runs, runs_of
from pipelines.sources.inferencex.benchmarks import LATEST, NOTE
from pipelines.sources.inferencex.discovery import AGGREGATES, BENCHMARKS, EVALUATIONS, SITE, WORKFLOW_INFO, Offer, discover, readable
from pipelines.sources.inferencex.identity import is_agentic, point_ids, usable
from pipelines.sources.inferencex.past import Known, look_for
from pipelines.sources.inferencex.wire import Odd, day, decode, decode_rows, run_of, text

MOST_WORKFLOW_DAYS = 30
AGGREGATE_BATCH, MOST_AGGREGATE_BATCHES = 200, 5

Row = dict[str, Any]


class WorkflowInfo:
    """What workflow-info says of runs, by day; days not asked for yet are asked for, newest first, a few a run.

    A day is asked for again after it has passed, and when rows of a run that it did not name turn up: its list was
    not complete.
    """

    def __init__(self, run: Collector, offered: bool):
        self.run = run
        self.left = MOST_WORKFLOW_DAYS if offered else 0
        self.answers: dict[str, Capture] = {c.meta["day"]: c for c in run.captures(resource="workflow_info") if c.ok}
        self.runs: dict[str, Runs | None] = {}
        self.failed: set[str] = set()

    def ask(self, days: set[str], new_runs: dict[str, str]) -> None:
        """Ask for the days, as far as this run may; `new_runs` are days of runs not seen before."""
        unnamed = {on for run_id, on in new_runs.items() if run_id not in (self.named(on) or {})}
        for on in sorted(days, reverse=True):
            known = self.answers.get(on)
            asked_today = known is not None and known.captured_at.date() == self.run.at.date()
            complete = known is not None and str(known.captured_at)[:10] > on and on not in unnamed
            if self.left <= 0 or asked_today or complete:
                continue
            self.left -= 1
            capture = self.run.get(SITE, WORKFLOW_INFO, resource="workflow_info", params={"date": on}, meta={"day": on}, expect=_misfit)
            if capture.ok:
                self.answers[on] = capture
                self.runs.pop(on, None)
            else:
                self.failed.add(on)

    def named(self, on: str) -> Runs | None:
        """The runs a day's answer names; None where there is none that can be read."""
        if on in self.answers and on not in self.runs:
            info = readable(self.run, self.answers[on], lambda body: decode(body, dict, "workflow-info"))
            self.runs[on] = None if info is None else runs_of(info)
        return self.runs.get(on)

    def of(self, days: set[str], run_ids: set[str]) -> dict[str, Any]:
        """The part of a note that attribution needs: the named runs, and the days that were had."""
        had = {on: runs for on in sorted(days) if (runs := self.named(on)) is not None}
        return {"runs": {run_id: run for runs in had.values() for run_id, run in runs.items() if run_id in run_ids}, "asked_days": list(had)}


def collect(run: Collector) -> None:
    """Fetch what today asks for: the models asked longest ago first, so that a deadline starves none."""
    offer = discover(run)
    if offer is None:
        return
    if offer.has(EVALUATIONS):
        run.get(SITE, EVALUATIONS, resource="evaluations", meta={"names": dict(offer.names)})
    info = WorkflowInfo(run, offer.has(WORKFLOW_INFO))
    last = {c.meta["model"]: c.captured_at for c in run.captures(resource="benchmarks") if c.ok and c.meta.get("role") == LATEST}
    for model in sorted(offer.models, key=lambda m: (last.get(m, dt.datetime.min), m)):
        collect_model(run, offer, info, model)


def collect_model(run: Collector, offer: Offer, info: WorkflowInfo, model: str) -> Capture:
    """Fetch a model's latest answer and keep the note that completes its set; an unreadable answer gets none."""
    available = offer.available(model)
    meta = {"role": LATEST, "model": model, "available": None if available is None else len(available)}
    latest = run.get(SITE, BENCHMARKS, resource="benchmarks", params={"model": model}, meta=meta)
    notes = [c for c in run.captures(set_id=latest.set_id) if c.meta.get("role") == NOTE]
    if notes and not notes[-1].meta.get("lacks_days"):
        return latest
    rows = readable(run, latest, lambda body: usable(decode_rows(body, "benchmarks")))
    if rows is None or (not rows and available != []):
        return latest
    if notes:
        _complete(run, info, latest, rows, notes)
        return latest
    known = Known.of(run.live("operating_points", latest.scope))
    found = look_for(run, offer, model, rows, known)
    ids = point_ids(rows)
    spoken_for = {*ids, *found.followed}
    new_rows = [row for row, point in zip(rows, ids, strict=True) if point not in known.points]
    note = {
        **about_runs(info, [*rows, *found.followed.values()], new_rows),
        **asdict(found),
        "series": {point: on for point, on in known.series.items() if point in spoken_for},
        "known_points": len(known.with_status("active")) or None,
        "aggregates": _aggregates(run, offer, new_rows),
    }
    keep_note(run, latest, note, lacks_days=sorted(info.failed & _days([*rows, *found.followed.values()])))
    return latest


def _complete(run: Collector, info: WorkflowInfo, latest: Capture, rows: list[Row], notes: list[Capture]) -> None:
    """Keep another note with a set whose last one lacks days of workflow-info, which failed when they were asked, if one of them answers now."""
    lacking = set(notes[-1].meta["lacks_days"])
    former = decode(run.body(notes[-1]), dict, "note of the set")
    measured = [*rows, *former.get("followed", {}).values()]
    said = about_runs(info, measured, [])
    if not lacking <= info.failed:
        keep_note(run, latest, {**former, **said}, lacks_days=sorted(info.failed & _days(measured)), number=len(notes) + 1)


def about_runs(info: WorkflowInfo, rows: list[Row], new_rows: list[Row]) -> dict[str, Any]:
    """What workflow-info says of the rows' runs, asking for days not had yet or not complete."""
    runs = _runs(rows)
    info.ask(days := _days(rows), _runs(new_rows))
    return info.of(days, set(runs))


def _days(rows: list[Row]) -> set[str]:
    return {str(on) for row in rows if (on := day(row, "date", Odd()))}


def _misfit(body: bytes) -> str | None:
    """What is wrong with an answer of workflow-info; one that cannot be read is asked again."""
    try:
        runs_of(decode(body, dict, "workflow-info"))
    except Unreadable as why:
        return str(why)
    return None


def _runs(rows: list[Row]) -> dict[str, str]:
    """Day by run id."""
    return {run_id: str(on) for row in rows if (run_id := run_of(text(row, "run_url"))[0]) and (on := day(row, "date", Odd()))}


def keep_note(run: Collector, first: Capture, note: dict[str, Any], *, lacks_days: list[str] | None = None, number: int = 1) -> None:
    """Store a set's note beside its first capture; a later one of the same set, which takes its place, under a number."""
    body = canonical_json({k: v for k, v in note.items() if v not in ({}, [], None)}).encode()
    path = f"{SITE}/note/{first.meta['model']}" + (f"/{number}" if number > 1 else "")
    meta = {**first.meta, "role": NOTE, **({"lacks_days": lacks_days} if lacks_days else {})}
    run.keep(path, body, resource=first.resource, scope=first.scope, set_id=first.set_id, meta=meta)


def _aggregates(run: Collector, offer: Offer, new_rows: list[Row]) -> dict[str, Any]:
    """Distributions of cache hits and lengths of agentic points never seen before, by the source's id."""
    if AGGREGATES not in offer.paths:
        return {}
    ids = [i for row in new_rows if is_agentic(row) and (i := text(row, "id"))]
    found: dict[str, Any] = {}
    for start in range(0, min(len(ids), AGGREGATE_BATCH * MOST_AGGREGATE_BATCHES), AGGREGATE_BATCH):
        capture = run.get(SITE, AGGREGATES, resource="aggregates", params={"ids": ",".join(ids[start : start + AGGREGATE_BATCH])})
        found |= readable(run, capture, lambda body: decode(body, dict, "agentic aggregates")) or {}
    return found
