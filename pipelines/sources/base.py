"""What a source is: what it fetches (`collect`) and what its bytes say (`parse`).

A source is one folder and one line in `pipelines/sources/__init__.py`. `collect` talks to the outside through the
collector alone; `parse` is pure: bytes in, records out, no network, clock or database.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

GOOD_OUTCOMES = ("changed", "unchanged", "not_modified")
OUTCOMES = (*GOOD_OUTCOMES, "no_data", "invalid", "unreachable", "disallowed", "moved", "rate_limited")

ROBOTS = "robots.txt"
OK_OUTCOMES = ("fetched", "not_modified", "removed")


class NoData(Exception):
    """The page is there, but not what it should hold. The message says what was looked for."""


class Unreadable(Exception):
    """The bytes are not what the source publishes: truncated, garbled, a sign-in page, a shape never seen."""


class Incomplete(Exception):
    """Some captures of the set are still missing; what there is, is no snapshot."""


@dataclass(frozen=True)
class Capture:
    """One answer (or failure to get one) as the capture log holds it.

    `outcome` is `fetched`, `not_modified` (body is that of the earlier capture), `removed` (a curated file that is
    gone) or one of `unreachable`, `disallowed`, `moved`, `rate_limited`, `invalid` (a body that broke a limit).
    Times are naive UTC. `set_id` groups the captures that make one snapshot.
    """

    capture_id: str
    source: str
    resource: str
    scope: str
    set_id: str
    url: str
    captured_at: dt.datetime
    outcome: str
    status: int | None = None
    sha256: str | None = None
    bytes: int | None = None
    etag: str | None = None
    last_modified: str | None = None
    content_type: str | None = None
    effective_at: dt.datetime | None = None
    date_source: str = "capture"
    authorized: bool = False
    message: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return self.outcome in OK_OUTCOMES


@dataclass(frozen=True)
class Part:
    """A capture with its bytes, as `parse` gets it."""

    capture: Capture
    body: bytes

    @property
    def url(self) -> str:
        return self.capture.url

    @property
    def meta(self) -> Mapping[str, Any]:
        return self.capture.meta


@dataclass(frozen=True)
class Bundle:
    """Everything one snapshot is read from.

    `at` is when it held (capture time, commit time); `started_at` is the `at` of the scope's first snapshot, so
    that a source can date rows older than our first look by their own run date.
    """

    source: str
    resource: str
    scope: str
    at: dt.datetime
    started_at: dt.datetime
    parts: tuple[Part, ...]

    @property
    def body(self) -> bytes:
        """Bytes of a one-part bundle."""
        (part,) = self.parts
        return part.body


@dataclass
class Parsed:
    """What a bundle says.

    `rows`: records by table; a table named with no rows means the source says there are none. A record may carry
    `dated_from`, `dated_to`, `date_source` (see history.py).
    `covers`: NULL means the snapshot speaks for its whole scope; otherwise for the named parts alone (paths), and
    every record names its part under the key `part`.
    `vanished`: what it means that a snapshot lacks a row it should hold: `close` ends the version, `retract` opens
    one with status `retracted`.
    `compared`: whether the snapshot is held against the last accepted one before history takes it.
    `may_be_empty`: whether no row at all is a plausible answer.
    `suspicions`: what makes the snapshot hard to believe, in sentences; it is held back like one that lost too much.
    `fields`: the source's own field paths by table with the share of records that fill them, for drift reports.
    `warnings`: sentences for people; `shape`: a free report on the bytes' shape, stored with the snapshot.
    """

    rows: dict[str, list[dict[str, Any]]]
    covers: frozenset[str] | None = None
    vanished: str = "close"
    compared: bool = True
    may_be_empty: bool = False
    suspicions: list[str] = field(default_factory=list)
    fields: dict[str, dict[str, float]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    shape: dict[str, Any] | None = None
    unmatched_names: list[str] = field(default_factory=list)


class Collector(Protocol):
    """What `collect` may use. Every answer is in the lake before `get` returns it."""

    at: dt.datetime
    settings: Any
    force: bool

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
        """Fetch `path` of a site (a key of settings.SITES) politely, store it, and return the capture.

        `scope` is the public URL where not given; `set_id` the capture itself (a one-part snapshot). A page whose
        last answer of the day was good is not asked again: its capture is returned. `once` is for content that
        never changes at its address (a file at a commit): a good capture of any day is returned. Failures are
        captures too (`capture.ok` is False); nothing is raised but StopSource. `expect` says in words what is wrong
        with a body that cannot be the right one (a hash that does not fit): such an answer is kept as `invalid`.

        Raises StopSource when the source's deadline has passed or its site asks to wait longer than we will.
        """
        ...

    def keep(
        self,
        path: str,
        body: bytes,
        *,
        resource: str,
        scope: str,
        set_id: str | None = None,
        outcome: str = "fetched",
        meta: Mapping[str, Any] | None = None,
    ) -> Capture:
        """Store bytes that were not fetched (a local file, what other captures say of this set) as a capture."""
        ...

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
        """Make a good capture part of another set too, without fetching anything; logged at `at`."""
        ...

    def body(self, capture: Capture) -> bytes:
        """The stored bytes, verified against their hash."""
        ...

    def failed(self, resource: str, url: str, outcome: str, message: str) -> Capture:
        """Record that a resource could not be had, for a reason known before or after asking."""
        ...

    def captures(self, *, resource: str | None = None, scope: str | None = None, set_id: str | None = None, url: str | None = None) -> list[Capture]:
        """Captures of this source in the lake up to the time of the run, oldest first; a run whose time is set back sees its own past."""
        ...

    def lost(self, resource: str) -> list[Capture]:
        """Captures whose bytes were lost, as far as no later one of their set took their place; `captures` leaves them out, so that they are asked again."""
        ...

    def ingest(self) -> None:
        """Parse, validate and take into history what was captured so far, so that `live` sees it."""
        ...

    def live(self, table: str, scope: str | None = None) -> list[dict[str, Any]]:
        """Rows of this source that its last accepted snapshots hold at the time of the run, with scope and part."""
        ...

    def progress(self, items: Iterable[Any], total: int, what: str) -> Iterator[Any]:
        """Yield the items; on a terminal, with a bar. Counts as progress for the source's deadline."""
        ...


class StopSource(Exception):
    """The source is done for this run; what it has captured stays. The message says why."""


@dataclass(frozen=True)
class Terms:
    """What a source allows, as far as is known: `yes`, `no` or `unknown`, with the page that says so."""

    fetch: str
    redistribute: str
    url: str
    attribution: str


class Source(Protocol):
    """One source. `parser_version` goes up whenever `parse` would read the same bytes differently."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def parser_version(self) -> str: ...

    @property
    def terms(self) -> Terms: ...

    @property
    def tables(self) -> tuple[str, ...]: ...

    def collect(self, run: Collector) -> None:
        """Fetch what today asks for. One resource failing does not stop the others."""
        ...

    def parse(self, bundle: Bundle) -> Parsed:
        """Read a bundle.

        Raises NoData, Unreadable or Incomplete; anything else is a bug and is reported as `invalid` too.
        """
        ...
