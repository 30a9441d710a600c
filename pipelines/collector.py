"""What a source's `collect` talks through: polite fetching with every answer in the lake, and a look at what is known."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from pipelines.fetch import Answer, Fetcher
from pipelines.ingest import ingest
from pipelines.lake import Lake, new_capture
from pipelines.settings import Settings
from pipelines.snapshot import Snapshot
from pipelines.sources.base import ROBOTS, Capture, Source, StopSource
from pipelines.tables import TABLES
from pipelines.warehouse import Warehouse

Progress = Callable[[Iterable[Any], int, str], Iterator[Any]]

_KNOWN_BAD = "SELECT 1 FROM history.snapshots s WHERE s.source = captures.source AND s.snapshot_id = captures.set_id AND s.outcome IN ('invalid', 'no_data')"


class SourceCollector:
    """The collector of one source in one run; see sources/base.py for what each method promises."""

    def __init__(self, source: Source, warehouse: Warehouse, fetcher: Fetcher, settings: Settings, at: dt.datetime, *, force: bool, progress: Progress):
        self.source, self.warehouse, self.fetcher, self.settings = source, warehouse, fetcher, settings
        self.at, self.force = at, force
        self.lake: Lake = warehouse.lake
        self.snapshots: list[Snapshot] = []
        self._progress = progress
        self._asked: dict[str, Capture] = {}
        self._lost = self.lake.lost()

    def get(
        self,
        site: str,
        path: str,
        *,
        resource: str,
        scope: str | None = None,
        set_id: str | None = None,
        params: Mapping[str, str] | None = None,
        effective_at: dt.datetime | None = None,
        date_source: str = "capture",
        meta: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        once: bool = False,
        expect: Callable[[bytes], str | None] | None = None,
    ) -> Capture:
        url = self.fetcher.public_url(site, path, params)
        known = self._known(url, once)
        if known is not None:
            if not known.ok or set_id in (None, known.set_id):
                return known
            return self.attach(known, set_id=set_id, scope=scope or url, resource=resource, effective_at=effective_at, date_source=date_source, meta=meta)
        earlier = None if once else self._last_good(url)
        answer = self.fetcher.fetch(
            site,
            path,
            params=params,
            headers=headers,
            etag=earlier.etag if earlier else None,
            last_modified=earlier.last_modified if earlier else None,
        )
        self._keep_robots(site)
        wrong = expect(answer.body) if expect and answer.body is not None else None
        if wrong:
            answer = replace(answer, outcome="invalid", message=wrong)
        capture = self._store(
            answer, earlier, resource=resource, scope=scope or url, set_id=set_id, effective_at=effective_at, date_source=date_source, meta=meta
        )
        self._asked[url] = capture
        if answer.stop:
            raise StopSource(answer.message or f"{site} asks to wait")
        return capture

    def _known(self, url: str, once: bool) -> Capture | None:
        """A capture that makes asking again needless: of this run, of the same day, or of any day for what never changes."""
        if url in self._asked:
            return self._asked[url]
        if self.force and not once:
            return None
        day = self.at.replace(hour=0, minute=0, second=0, microsecond=0)
        since = "" if once else "AND captured_at >= ? AND captured_at < ?"
        days = [] if once else [day, day + dt.timedelta(days=1)]
        known = self._captures(f"url = ? AND outcome IN ('fetched', 'not_modified') {since} AND NOT EXISTS ({_KNOWN_BAD})", [url, *days])
        last = [c for c in known if "attached" not in c.meta]  # an attached one may be of any day
        if not last or once:
            return last[-1] if last else None
        newer_failure = self._captures(
            "url = ? AND captured_at > ? AND captured_at < ? AND outcome NOT IN ('fetched', 'not_modified')", [url, last[-1].captured_at, days[1]]
        )
        return None if newer_failure else last[-1]

    def _last_good(self, url: str) -> Capture | None:
        last = self._captures(
            f"url = ? AND outcome IN ('fetched', 'not_modified') AND coalesce(etag, last_modified) IS NOT NULL AND NOT EXISTS ({_KNOWN_BAD})", [url]
        )
        return last[-1] if last else None

    def _keep_robots(self, site: str) -> None:
        """Keep the robots.txt the fetcher asked for on the way; 4xx means that everything is allowed."""
        robots = self.fetcher.robots_answers.get(site)
        if robots is None or robots.url in self._asked:
            return
        if robots.status is not None and 400 <= robots.status < 500 and robots.outcome != "rate_limited":
            robots = replace(robots, outcome="fetched", body=b"")
        self._asked[robots.url] = self._store(robots, None, resource=ROBOTS, scope=robots.url, set_id=None, effective_at=None, date_source="capture", meta=None)

    def _store(self, answer: Answer, earlier: Capture | None, **where: Any) -> Capture:
        body = answer.body if answer.outcome in ("fetched", "invalid") else None
        sha256, size = (self.lake.put(body), len(body)) if body is not None else (None, None)
        if answer.outcome == "not_modified" and earlier:
            sha256, size = earlier.sha256, earlier.bytes
        return self._record(
            url=answer.url,
            outcome=answer.outcome,
            status=answer.status,
            sha256=sha256,
            bytes=size,
            etag=answer.etag or (earlier.etag if earlier and answer.outcome == "not_modified" else None),
            last_modified=answer.last_modified,
            content_type=answer.content_type,
            authorized=answer.authorized,
            message=answer.message,
            headers=answer.headers,
            **where,
        )

    def _record(self, *, meta: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None, **values: Any) -> Capture:
        told = {**(meta or {}), **({"headers": dict(headers)} if headers else {})}
        capture = new_capture(source=self.source.name, captured_at=self.at, meta=told, **values)
        self.lake.record(capture)
        return capture

    def keep(
        self, path: str, body: bytes, *, resource: str, scope: str, outcome: str = "fetched", meta: Mapping[str, Any] | None = None, set_id: str | None = None
    ) -> Capture:
        return self._record(url=path, resource=resource, scope=scope, set_id=set_id, outcome=outcome, sha256=self.lake.put(body), bytes=len(body), meta=meta)

    def attach(
        self,
        capture: Capture,
        *,
        set_id: str,
        scope: str,
        resource: str,
        effective_at: dt.datetime | None = None,
        date_source: str = "capture",
        meta: Mapping[str, Any] | None = None,
    ) -> Capture:
        return self._record(
            url=capture.url,
            resource=resource,
            scope=scope,
            set_id=set_id,
            outcome="fetched",
            sha256=capture.sha256,
            bytes=capture.bytes,
            effective_at=effective_at,
            date_source=date_source,
            meta={**(meta or {}), "attached": capture.capture_id},
        )

    def body(self, capture: Capture) -> bytes:
        return self.lake.get(capture.sha256 or "")

    def failed(self, resource: str, url: str, outcome: str, message: str) -> Capture:
        return self._record(url=url, resource=resource, scope=url, outcome=outcome, message=message)

    def captures(self, *, resource: str | None = None, scope: str | None = None, set_id: str | None = None, url: str | None = None) -> list[Capture]:
        asked = {"resource": resource, "scope": scope, "set_id": set_id, "url": url}
        given = {k: v for k, v in asked.items() if v is not None}
        return self._captures(" AND ".join(["captured_at <= ?", *(f"{k} = ?" for k in given)]), [self.at, *given.values()])

    def lost(self, resource: str) -> list[Capture]:
        if not self._lost:
            return []
        self.warehouse.index()
        found = self.warehouse.captures("source = ? AND resource = ? AND captured_at <= ?", [self.source.name, resource, self.at])
        latest = {(c.set_id, c.url): c for c in found if c.ok}
        return [c for c in latest.values() if self._is_lost(c)]

    def _captures(self, where: str, parameters: list[Any]) -> list[Capture]:
        """Captures of this source, but for those whose bytes were lost: they are asked again."""
        self.warehouse.index()
        found = self.warehouse.captures(f"source = ? AND {where}", [self.source.name, *parameters])
        return [c for c in found if not self._is_lost(c)]

    def _is_lost(self, capture: Capture) -> bool:
        return capture.sha256 in self._lost and not self.lake.has(capture.sha256)

    def ingest(self) -> None:
        self.snapshots += ingest(self.warehouse, self.source, self._progress)

    def live(self, table: str, scope: str | None = None) -> list[dict[str, Any]]:
        columns = ", ".join(f'"{c}"' for c in TABLES[table].names)
        where, parameters = ("AND scope = ?", [scope]) if scope else ("", [])
        return self.warehouse.rows(
            f"SELECT {columns}, scope, part, valid_from FROM history.{table} WHERE valid_from <= ? AND (live OR valid_to > ?) AND source = ? {where}",
            [self.at, self.at, self.source.name, *parameters],
        )

    def progress(self, items: Iterable[Any], total: int, what: str) -> Iterator[Any]:
        for item in self._progress(items, total, what):
            self.fetcher.progress()
            yield item
