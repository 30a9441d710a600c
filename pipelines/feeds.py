"""The feeds: headlines and notable events as Atom and JSON Feed 1.1, newest first, in <lake>/published/.

Ids are the events' ids, so a reader sees each once; the feed's own time is its newest event's.
"""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

from feedgen.feed import FeedGenerator

from pipelines.lake import Lake, iso, write_whole
from pipelines.warehouse import Warehouse

ENTRIES = 200
ATOM, JSON_FEED = "changes.atom", "changes.json"
HOME = "urn:megawatch:changes"


def write_feeds(warehouse: Warehouse) -> None:
    """Write both feeds, each by rename; none where the table of events was never built, which is said elsewhere."""
    if not warehouse.rows("SELECT 1 FROM information_schema.tables WHERE table_schema = 'main' AND table_name = 'change_events'"):
        return
    events = warehouse.rows(
        "SELECT event_id, kind, severity, summary, detected_at, source, source_url FROM main.change_events "
        "WHERE severity IN ('headline', 'notable') ORDER BY detected_at DESC, severity, event_id LIMIT ?",
        [ENTRIES],
    )
    title = "Megawatch: what changed" + (" (replay data)" if warehouse.lake.kind == "replay" else "")
    lake: Lake = warehouse.lake
    write_whole(lake.published / ATOM, _atom(title, events))
    write_whole(lake.published / JSON_FEED, json.dumps(_json_feed(title, events), ensure_ascii=False, indent=1).encode())


def _atom(title: str, events: list[dict[str, Any]]) -> bytes:
    feed = FeedGenerator()
    feed.id(HOME)
    feed.title(title)
    feed.author({"name": "Megawatch"})
    feed.link(href=ATOM, rel="self")
    feed.updated(_zoned(events[0]["detected_at"]) if events else dt.datetime(1970, 1, 1, tzinfo=dt.UTC))
    for event in events:
        entry = feed.add_entry(order="append")
        entry.id(_urn(event))
        entry.title(_readable(event["summary"]))
        entry.link(href=event["source_url"])
        entry.updated(_zoned(event["detected_at"]))
        entry.published(_zoned(event["detected_at"]))
        entry.category([{"term": event["severity"]}, {"term": event["kind"]}, {"term": event["source"]}])
        entry.content(_readable(event["summary"]), type="text")
    return bytes(feed.atom_str(pretty=True))


def _json_feed(title: str, events: list[dict[str, Any]]) -> dict[str, Any]:
    items = [
        {
            "id": _urn(e),
            "url": e["source_url"],
            "title": _readable(e["summary"]),
            "content_text": _readable(e["summary"]),
            "date_published": iso(e["detected_at"]),
            "tags": [e["severity"], e["kind"], e["source"]],
        }
        for e in events
    ]
    return {"version": "https://jsonfeed.org/version/1.1", "title": title, "feed_url": JSON_FEED, "items": items}


def _urn(event: dict[str, Any]) -> str:
    return f"urn:megawatch:event:{event['event_id']}"


def _zoned(time: dt.datetime) -> dt.datetime:
    return time.replace(tzinfo=dt.UTC)


def _readable(text: str) -> str:
    """Text without the control characters that XML cannot hold."""
    return "".join(c for c in text if c in "\t\n" or (ord(c) >= 32 and not 0xD800 <= ord(c) <= 0xDFFF and ord(c) not in (0xFFFE, 0xFFFF)))
