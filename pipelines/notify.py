"""Alerts: what a refresh told, sent to mail, chat and webhooks through Apprise, once per event and channel.

A channel's first run sends nothing. An alert is marked as sent when its channel took it; one that failed is tried
again in the next run. Above a set number a run, the rest goes as one digest; what lies below the threshold goes as
one digest a day.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import apprise

from pipelines.lake import Lake, append_line, iso, utc
from pipelines.schema import content_id
from pipelines.settings import Settings
from pipelines.told import Told, lines

RANKS = {"headline": 2, "notable": 1, "routine": 0}

Deliver = Callable[[str, str, str], bool]


def deliver(url: str, title: str, body: str) -> bool:
    """Send one plain-text message to one channel; whether the channel took it."""
    channel = apprise.Apprise()
    return bool(channel.add(url)) and bool(channel.notify(title=title, body=body, body_format=apprise.NotifyFormat.TEXT))


class _Channel:
    """One channel and its part of the outbox. Its address is a secret: the lake holds a hash of it."""

    def __init__(self, lake: Lake, url: str, number: int, to: Deliver):
        self.path, self.url, self.number, self.to = lake.root / "outbox.jsonl", url, number, to
        self.id = content_id("channel", url)
        mine = [r for r in lines(self.path) if r.get("channel") == self.id]
        self.since = next((utc(r["since"]) for r in mine if "since" in r), None)
        self.sent = {r["event_id"] for r in mine if r.get("status") == "sent"}
        self.digests = {r["digest"] for r in mine if "digest" in r}

    def note(self, **record: Any) -> None:
        append_line(self.path, {"channel": self.id, **record})

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


def send(lake: Lake, settings: Settings, at: dt.datetime, to: Deliver = deliver) -> list[str]:
    """Send what is due to every channel; returns what failed, in words that hold no address."""
    told = Told(lake)
    events = [*told.events.values(), *_corrections(told)]
    failures = []
    for number, secret in enumerate(settings.alert_urls, start=1):
        channel = _Channel(lake, secret.get_secret_value(), number, to)
        if channel.since is None:
            channel.note(since=iso(at))
            continue
        due = [e for e in events if not e.get("silently") and utc(e["told_at"]) > channel.since and e["event_id"] not in channel.sent]
        failures += _send_due(channel, sorted(due, key=lambda e: (e["detected_at"], e["event_id"])), settings, lake.kind, at)
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
    if quiet and day not in channel.digests:
        failures.append(channel.send(quiet, f"{mark}: digest of {day}", at))
        channel.note(digest=day)
    return [f for f in failures if f]


def _corrections(told: Told) -> list[dict[str, Any]]:
    """Corrections as alerts, of the severity of what they take back."""
    found = []
    for event_id, correction in told.corrections.items():
        event = told.events.get(correction["corrects"])
        if event:
            found.append(
                {**event, "event_id": event_id, "summary": f"Taken back: {event['summary']}", "told_at": correction["at"], "detected_at": correction["at"]}
            )
    return found
