"""What was told: the lake remembers which events a refresh made public, and which it took back.

    <lake>/told.jsonl     one line per event told, and per correction of one; the warehouse indexes it as lake.told
    <lake>/telling.json   which stretches of the capture log are still to be announced; gone when all was told

A refresh announces what its own captures brought. What turns up in others (a re-parse, an import, a backfill, a model
that is watched from now on) is noted silently: it stands in the table of events and in no alert. When an event that was
announced is no longer what the history says, one correction follows it, for as long as it is not. The files survive a
rebuild, so nothing is told or corrected twice.
"""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from typing import Any

from pipelines.lake import DAMAGED, Lake, append_line, iso, write_whole
from pipelines.schema import content_id
from pipelines.warehouse import Warehouse

_TELLING = "telling.json"
_KINDS = {
    **dict.fromkeys(("event_id", "corrects", "kind", "severity", "source", "model", "entity", "vendor", "accelerator", "key", "field"), "text"),
    **dict.fromkeys(("new_value", "summary", "source_url"), "text"),
    **dict.fromkeys(("detected_at", "told_at"), "time"),
    "silently": "bool",
}

# One happening whose time was found to be another has another id: it is neither taken back nor announced again.
_SAME = "e.kind = t.kind AND e.source = t.source AND e.key = t.key AND e.field IS NOT DISTINCT FROM t.field AND e.new_value IS NOT DISTINCT FROM t.new_value"

# Told events of the time that was derived anew which are there no more, and were not taken back yet. One that rests on
# bytes that are lost now (of its snapshot, or of the one before it) is not known to be wrong.
_GONE = f"""
WITH lost AS (
  SELECT s.source, s.captured_at AS since, greatest(s.captured_at, min(later.captured_at)) AS until
  FROM history.snapshots s
  LEFT JOIN history.snapshots later ON later.source = s.source AND later.scope = s.scope AND later.held_at > s.held_at AND later.content_sha256 IS NOT NULL
  WHERE s.outcome = 'invalid' AND starts_with(s.message, $damaged)
  GROUP BY s.source, s.captured_at, s.snapshot_id
)
SELECT event_id FROM lake.told t
WHERE corrects IS NULL AND NOT silently AND detected_at >= $since
  AND NOT EXISTS (FROM lost l WHERE l.source = t.source AND t.detected_at BETWEEN l.since AND l.until)
  AND NOT EXISTS (FROM history.change_events e WHERE e.event_id = t.event_id OR e.detected_at >= $since AND {_SAME})
  AND NOT EXISTS (FROM lake.told c WHERE c.corrects = t.event_id)
ORDER BY event_id"""

_NEW = f"""
SELECT e.*, EXISTS (
  FROM lake.told t WHERE {_SAME} AND NOT t.silently AND t.detected_at >= $since AND NOT EXISTS (FROM history.change_events o WHERE o.event_id = t.event_id)
) AS is_moved
FROM history.change_events e
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
WHERE NOT EXISTS (FROM history.change_events e WHERE e.event_id IN (c.event_id, c.corrects))
QUALIFY row_number() OVER (PARTITION BY c.event_id ORDER BY c.read_at, t.read_at) = 1"""

_CORRECTED_NO_MORE = """
DELETE FROM history.change_events e
WHERE kind = 'correction' AND EXISTS (
  FROM lake.told c JOIN history.change_events back ON back.event_id = c.corrects WHERE c.event_id = e.event_id)"""

_CAPTURED = """
SELECT DISTINCT c.captured_at FROM lake.captures c
JOIN (SELECT unnest($files) AS file, unnest($starts) AS starts_at, unnest($ends) AS ends_at) p
  ON p.file = c.file AND c.read_at >= p.starts_at AND (p.ends_at IS NULL OR c.read_at < p.ends_at)"""


@dataclass
class Stretch:
    """A part of the capture log whose events are announced: bytes of each of its files; without `end` it goes on."""

    start: dict[str, int]
    end: dict[str, int] | None = None


def index(warehouse: Warehouse) -> None:
    """Read what told.jsonl gained since the last reading."""
    warehouse.index_lines(warehouse.lake.told, "lake.told", _KINDS)


def untold(lake: Lake) -> list[Stretch]:
    """The stretches that no run has told yet."""
    path = lake.root / _TELLING
    if not path.exists():
        return []
    try:
        return [Stretch(dict(said["start"]), said["end"]) for said in json.loads(path.read_bytes())]
    except (ValueError, KeyError, TypeError):  # damaged: what it meant to announce is not known, and silence would lose it
        return [Stretch({})]


def begin_telling(lake: Lake, how: str) -> list[Stretch]:
    """Note from where on this run's captures are announced (`aloud`) or not (`silently`); returns all stretches to be told.

    What a run that was killed had still to announce stays among them.
    """
    stretches = untold(lake)
    under_way = next((s for s in stretches if s.end is None), None)
    if how == "aloud" and under_way is None:
        stretches.append(Stretch(lake.log_sizes()))
    elif how == "silently" and under_way is not None:
        under_way.end = lake.log_sizes()
    keep(lake, stretches)
    return stretches


def keep(lake: Lake, stretches: list[Stretch]) -> None:
    """Note the stretches to be told, for a run after this one should it be killed."""
    write_whole(lake.root / _TELLING, json.dumps([{"start": s.start, "end": s.end} for s in stretches]).encode())


def read_anew(lake: Lake, file: str) -> None:
    """Note that a file of the capture log was written anew, so that places in it mean nothing: what of it is not told yet is announced."""
    stretches = untold(lake)
    for stretch in stretches:
        stretch.start[file] = 0
        if stretch.end is not None and file in stretch.end:
            stretch.end[file] = lake.log_sizes()[file]
    if stretches:
        keep(lake, stretches)


def end_telling(lake: Lake) -> None:
    """Note that everything taken in was told."""
    (lake.root / _TELLING).unlink(missing_ok=True)


def tell(warehouse: Warehouse, at: dt.datetime, stretches: list[Stretch]) -> None:
    """Note the events that are new since the last telling, and correct those that are no more."""
    (since,) = warehouse.con.execute("SELECT min(since) FROM history.events_due").fetchone() or (None,)
    if since is None:
        return
    index(warehouse)
    for event in warehouse.rows(_GONE, {"since": since, "damaged": DAMAGED}):
        taken_back = event["event_id"]
        append_line(warehouse.lake.told, {"event_id": content_id("correction", taken_back), "corrects": taken_back, "told_at": iso(at)})
    announced = _times_announced(warehouse, stretches)
    for event in warehouse.rows(_NEW, {"since": since}):
        silently = event.pop("is_moved") or event["detected_at"] not in announced
        append_line(warehouse.lake.told, _record(event) | {"told_at": iso(at), "silently": silently})
    index(warehouse)
    warehouse.con.execute("DELETE FROM history.events_due")


def add_corrections(warehouse: Warehouse) -> None:
    """Put the corrections the lake remembers beside the derived events; one whose event is back is none."""
    index(warehouse)
    with warehouse.transaction():
        warehouse.con.execute(_CORRECTED_NO_MORE)
        warehouse.con.execute(_CORRECTIONS)


def _times_announced(warehouse: Warehouse, stretches: list[Stretch]) -> set[dt.datetime]:
    """Capture times whose events are told aloud."""
    places = [(file, s.start.get(file, 0), None if s.end is None else s.end.get(file, 0)) for s in stretches for file in warehouse.lake.log_sizes()]
    if not places:
        return set()
    files, starts, ends = map(list, zip(*places, strict=True))
    return {r["captured_at"] for r in warehouse.rows(_CAPTURED, {"files": files, "starts": starts, "ends": ends})}


def _record(event: dict[str, Any]) -> dict[str, Any]:
    return {k: iso(v) if isinstance(v, dt.datetime) else v for k, v in event.items()}
