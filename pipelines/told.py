"""What was told: the lake remembers which events a refresh made public, and which it took back.

    <lake>/told.jsonl     one line per event told, and per correction of one; the warehouse indexes it as lake.told
    <lake>/telling.json   how a run that has begun means to tell what it takes in; gone when it has told

A refresh announces what its own captures brought. What turns up in older ones (a re-parse, an import, a backfill, a
model that is watched from now on) is noted silently: it stands in the table of events and in no alert. When an event
that was announced is no longer what the history says, one correction follows it. The files survive a rebuild, so
nothing is told or corrected twice.
"""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass, field
from typing import Any

from pipelines.lake import Lake, append_line, iso, write_whole
from pipelines.schema import content_id
from pipelines.warehouse import Warehouse

_TELLING = "telling.json"
_KINDS = {
    **dict.fromkeys(("event_id", "corrects", "severity", "source", "model", "entity", "vendor", "accelerator", "key", "field"), "text"),
    **dict.fromkeys(("new_value", "summary", "source_url"), "text"),
    **dict.fromkeys(("detected_at", "told_at"), "time"),
    "silently": "bool",
}

# Told events of the time that was derived anew which are there no more, and were not taken back yet.
_GONE = """
SELECT event_id FROM lake.told t
WHERE corrects IS NULL AND NOT silently AND detected_at >= $since
  AND NOT EXISTS (FROM history.change_events e WHERE e.event_id = t.event_id AND e.severity IN ('headline', 'notable'))
  AND NOT EXISTS (FROM lake.told c WHERE c.corrects = t.event_id)
ORDER BY event_id"""

_NEW = """
SELECT * FROM history.change_events e
WHERE severity IN ('headline', 'notable') AND kind <> 'correction' AND detected_at >= $since
  AND NOT EXISTS (FROM lake.told t WHERE t.event_id = e.event_id)
ORDER BY detected_at, event_id"""

_CORRECTIONS = """
INSERT INTO history.change_events BY NAME
SELECT c.event_id, 'correction' AS kind, 'notable' AS severity, t.source, t.model, t.entity, t.vendor, t.accelerator, t.key, t.field,
       t.new_value AS old_value, []::VARCHAR[] AS co_changed, c.told_at AS happened_at, c.told_at AS detected_at,
       'Taken back: ' || t.summary AS summary, t.source_url
FROM lake.told c
JOIN lake.told t ON t.event_id = c.corrects
WHERE NOT EXISTS (FROM history.change_events e WHERE e.event_id = c.event_id)"""


@dataclass
class Telling:
    """How a run tells: `aloud` what the capture log holds beyond `after` (bytes of each of its files), or all of it `silently`."""

    how: str
    after: dict[str, int] = field(default_factory=dict)


def index(warehouse: Warehouse) -> None:
    """Read what told.jsonl gained since the last reading."""
    warehouse.index_lines(warehouse.lake.told, "lake.told", _KINDS)


def begin_telling(lake: Lake, telling: Telling) -> None:
    """Note how a run means to tell what it takes in."""
    write_whole(lake.root / _TELLING, json.dumps({"tells": telling.how, "after": telling.after}).encode())


def left_untold(lake: Lake) -> Telling | None:
    """How a run that ended before it told meant to tell; None where there is none."""
    path = lake.root / _TELLING
    if not path.exists():
        return None
    try:
        said = json.loads(path.read_bytes())
        return Telling(str(said["tells"]), dict(said["after"]))
    except (ValueError, KeyError, TypeError):  # damaged: what it meant to say is not known, and silence would lose it
        return Telling("aloud")


def end_telling(lake: Lake) -> None:
    """Note that everything taken in was told."""
    (lake.root / _TELLING).unlink(missing_ok=True)


def tell(warehouse: Warehouse, at: dt.datetime, telling: Telling) -> None:
    """Note the events that are new since the last telling, and correct those that are no more."""
    (since,) = warehouse.con.execute("SELECT min(since) FROM history.events_due").fetchone() or (None,)
    if since is None:
        return
    index(warehouse)
    for event in warehouse.rows(_GONE, {"since": since}):
        taken_back = event["event_id"]
        append_line(warehouse.lake.told, {"event_id": content_id("correction", taken_back), "corrects": taken_back, "told_at": iso(at)})
    announced = _times_announced(warehouse, telling)
    for event in warehouse.rows(_NEW, {"since": since}):
        append_line(warehouse.lake.told, _record(event) | {"told_at": iso(at), "silently": event["detected_at"] not in announced})
    index(warehouse)
    warehouse.con.execute("DELETE FROM history.events_due")


def add_corrections(warehouse: Warehouse) -> None:
    """Put the corrections the lake remembers beside the derived events."""
    index(warehouse)
    with warehouse.transaction():
        warehouse.con.execute(_CORRECTIONS)


def _times_announced(warehouse: Warehouse, telling: Telling) -> set[dt.datetime]:
    """Capture times whose events are told aloud."""
    if telling.how != "aloud":
        return set()
    query = "SELECT DISTINCT captured_at FROM lake.captures WHERE file = ? AND read_at >= ?"
    read = (warehouse.con.execute(query, [file, telling.after.get(file, 0)]).fetchall() for file in warehouse.lake.log_sizes())
    return {captured_at for rows in read for (captured_at,) in rows}


def _record(event: dict[str, Any]) -> dict[str, Any]:
    return {k: iso(v) if isinstance(v, dt.datetime) else v for k, v in event.items()}
