"""What was told: the lake remembers which events a refresh made public, and which alerts went out on which channel.

    <lake>/told.jsonl     one line per event a refresh told, and per correction of one
    <lake>/outbox.jsonl   one line per alert: event, channel (a hash of its address), what became of it
    <lake>/telling.json   how a run that has begun means to tell what it takes in; gone when it has told

When an event that was told is no longer what the history says (a re-parse, an acceptance, a late arrival), one
correction follows it. Both files survive a rebuild, so nothing is told or corrected twice.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pipelines.lake import Lake, append_line, iso, utc, write_whole
from pipelines.schema import content_id
from pipelines.warehouse import Warehouse

_TELLING = "telling.json"


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """Records of a JSON-lines file; damaged lines are passed over."""
    if path.exists():
        for line in path.read_bytes().splitlines():
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict):
                yield record


class Told:
    """The events told so far, and their corrections."""

    def __init__(self, lake: Lake):
        self.path = lake.root / "told.jsonl"
        self.events: dict[str, dict[str, Any]] = {}
        self.corrections: dict[str, dict[str, Any]] = {}
        for record in lines(self.path):
            (self.corrections if "corrects" in record else self.events)[record["event_id"]] = record

    def remember(self, event: dict[str, Any], at: dt.datetime, silently: bool) -> None:
        """Note that an event was told by a run at a time."""
        record = {k: iso(v) if isinstance(v, dt.datetime) else v for k, v in event.items()} | {"told_at": iso(at), "silently": silently}
        append_line(self.path, record)
        self.events[record["event_id"]] = record

    def correct(self, event_id: str, at: dt.datetime) -> None:
        """Note that a told event is taken back."""
        record = {"event_id": content_id("correction", event_id), "corrects": event_id, "at": iso(at)}
        append_line(self.path, record)
        self.corrections[record["event_id"]] = record


def corrections(told: Told) -> list[dict[str, Any]]:
    """The correction events, as rows of change_events."""
    rows: list[dict[str, Any]] = []
    for event_id, correction in told.corrections.items():
        event = told.events.get(correction["corrects"])
        if event is None:
            continue
        at = utc(correction["at"])
        same = {k: event.get(k) for k in ("source", "model", "entity", "vendor", "accelerator", "key", "field", "source_url")}
        rows.append(
            {
                **same,
                "event_id": event_id,
                "kind": "correction",
                "severity": "notable",
                "old_value": event.get("new_value"),
                "new_value": None,
                "co_changed": [],
                "happened_at": at,
                "changed_after": None,
                "detected_at": at,
                "summary": f"Taken back: {event['summary']}",
            }
        )
    return rows


def begin_telling(lake: Lake, how: str) -> None:
    """Note how a run means to tell what it takes in."""
    write_whole(lake.root / _TELLING, json.dumps({"tells": how}).encode())


def left_untold(lake: Lake) -> str | None:
    """How a run that ended before it told meant to tell; None where there is none."""
    return next((str(r["tells"]) for r in lines(lake.root / _TELLING) if "tells" in r), None)


def end_telling(lake: Lake) -> None:
    """Note that everything taken in was told."""
    (lake.root / _TELLING).unlink(missing_ok=True)


def tell(warehouse: Warehouse, at: dt.datetime, *, silently: bool) -> None:
    """Remember the events that are new since the last run, and correct those that are no more.

    A run that tells silently (an import, a backfill) announces nothing, and what was never announced needs no correction.
    """
    told = Told(warehouse.lake)
    current = warehouse.rows(
        "SELECT * FROM history.change_events WHERE severity IN ('headline', 'notable') AND kind <> 'correction' ORDER BY detected_at, event_id"
    )
    ids = {e["event_id"] for e in current}
    corrected = {c["corrects"] for c in told.corrections.values()}
    announced = {i for i, e in told.events.items() if not e["silently"]}
    for event_id in sorted(announced - ids - corrected):
        told.correct(event_id, at)
    for event in current:
        if event["event_id"] not in told.events:
            told.remember(event, at, silently)
