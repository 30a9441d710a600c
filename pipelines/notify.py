"""Alerts: what a refresh told, sent to mail, chat and webhooks through Apprise, once per event and channel.

    <lake>/outbox.jsonl   one line per alert and channel (a hash of its address) with what became of it; a channel's
                          first line says at which byte of told.jsonl it starts. The warehouse indexes it as lake.outbox.

A channel's first run sends nothing. An alert is marked as sent when its channel took it; one that failed is tried
again in the next run. Above a set number a run, the rest goes as one digest; what lies below the threshold goes as
one digest a day.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import apprise

from pipelines import told
from pipelines.lake import append_line, iso
from pipelines.schema import content_id
from pipelines.settings import Settings
from pipelines.warehouse import Warehouse

RANKS = {"headline": 2, "notable": 1, "routine": 0}

Deliver = Callable[[str, str, str], bool]

_KINDS = {**dict.fromkeys(("channel", "event_id", "status", "digest"), "text"), "starts_at": "int"}

# What was told or taken back since the channel started and has not reached it; a correction weighs what it takes back does.
_DUE = """
WITH alerts AS (
  SELECT event_id, severity, summary, source_url, detected_at, read_at FROM lake.told WHERE corrects IS NULL AND NOT silently
  UNION ALL BY NAME
  SELECT c.event_id, t.severity, 'Taken back: ' || t.summary AS summary, t.source_url, c.told_at AS detected_at, c.read_at
  FROM lake.told c
  JOIN lake.told t ON t.event_id = c.corrects
  WHERE NOT EXISTS (FROM history.change_events e WHERE e.event_id = c.corrects)
)
SELECT * FROM alerts a
WHERE read_at >= $starts_at AND NOT EXISTS (FROM lake.outbox o WHERE o.channel = $channel AND o.event_id = a.event_id AND o.status = 'sent')
QUALIFY row_number() OVER (PARTITION BY event_id ORDER BY read_at) = 1
ORDER BY detected_at, event_id"""


def deliver(url: str, title: str, body: str) -> bool:
    """Send one plain-text message to one channel; whether the channel took it."""
    channel = apprise.Apprise()
    return bool(channel.add(url)) and bool(channel.notify(title=title, body=body, body_format=apprise.NotifyFormat.TEXT))


class _Channel:
    """One channel and its part of the outbox. Its address is a secret: the lake holds a hash of it."""

    def __init__(self, warehouse: Warehouse, url: str, number: int, to: Deliver):
        self.warehouse, self.url, self.number, self.to = warehouse, url, number, to
        self.id = content_id("channel", url)
        (started,) = warehouse.rows("SELECT min(starts_at) AS starts_at FROM lake.outbox WHERE channel = ?", [self.id])
        self.starts_at: int | None = started["starts_at"]

    def due(self) -> list[dict[str, Any]]:
        """Alerts the channel has still to get, in the order of their happening."""
        return self.warehouse.rows(_DUE, {"starts_at": self.starts_at, "channel": self.id})

    def had_digest(self, day: str) -> bool:
        """Whether the channel got a day's digest."""
        return bool(self.warehouse.rows("SELECT 1 FROM lake.outbox WHERE channel = ? AND digest = ? LIMIT 1", [self.id, day]))

    def note(self, **record: Any) -> None:
        append_line(self.warehouse.lake.outbox, {"channel": self.id, **record})

    def send(self, events: list[dict[str, Any]], title: str, at: dt.datetime) -> str | None:
        """Send events as one message; what went wrong, if anything."""
        body = "\n".join(f"{e['summary']}\n{e['source_url']}" for e in events)
        try:
            taken = self.to(self.url, title, body)
        except Exception as why:  # a channel's library may raise anything; the others must still get theirs
            taken, title = False, f"{title} ({type(why).__name__})"
        for event in events:
            self.note(event_id=event["event_id"], status="sent" if taken else "failed", at=iso(at))
        return None if taken else f"Alert channel {self.number} did not take: {title}. It is tried again in the next run."


def send(warehouse: Warehouse, settings: Settings, at: dt.datetime, to: Deliver = deliver) -> list[str]:
    """Send what is due to every channel; returns what failed, in words that hold no address."""
    lake = warehouse.lake
    told.index(warehouse)
    warehouse.index_lines(lake.outbox, "lake.outbox", _KINDS)
    failures = []
    size = lake.told.stat().st_size if lake.told.exists() else 0
    for number, url in enumerate(dict.fromkeys(secret.get_secret_value() for secret in settings.alert_urls), start=1):
        channel = _Channel(warehouse, url, number, to)
        if channel.starts_at is not None and channel.starts_at > size:
            failures.append(f"Alert channel {number} began where {lake.told.name} no longer reaches: it was cut, or an older one put back. It begins anew.")
        if channel.starts_at is None or channel.starts_at > size:
            channel.note(starts_at=size, at=iso(at))
            continue
        failures += _send_due(channel, channel.due(), settings, lake.kind, at)
    return failures


def _send_due(channel: _Channel, due: list[dict[str, Any]], settings: Settings, kind: str | None, at: dt.datetime) -> list[str]:
    mark = "Megawatch (replay data)" if kind == "replay" else "Megawatch"
    threshold = RANKS[settings.alert_severity]
    loud = [e for e in due if RANKS[e["severity"]] >= threshold]
    quiet = [e for e in due if RANKS[e["severity"]] < threshold]
    failures = [channel.send([e], f"{mark}: {e['severity']}", at) for e in loud[: settings.alerts_a_run]]
    if rest := loud[settings.alerts_a_run :]:
        failures.append(channel.send(rest, f"{mark}: {len(rest)} more", at))
    day = f"{at:%Y-%m-%d}"
    if quiet and not channel.had_digest(day):
        failed = channel.send(quiet, f"{mark}: digest of {day}", at)
        failures.append(failed)
        if failed is None:
            channel.note(digest=day)
    return [f for f in failures if f]
