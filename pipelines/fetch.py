"""Fetch: one polite HTTP client. It asks, waits within bounds, and says what came of it; it never reads content.

Whatever the outside does ends in an `Answer`, never in an exception. What an answer shows (addresses, messages)
names the public address of a site and no key. Sources of the rules: RFC 9309 (robots.txt), RFC 9110 (conditional
requests, Retry-After), GitHub's REST rate limits.
"""

from __future__ import annotations

import importlib.metadata
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from http import cookiejar
from typing import Any
from urllib.parse import urljoin

import requests
import urllib3
from protego import Protego

from pipelines.body import BodyError, OutOfTime, read_body
from pipelines.exchange import Answer, Request, Try
from pipelines.refusals import network_fault, refused, short
from pipelines.settings import Settings
from pipelines.site import locator

PRODUCT = "megawatch"
CONNECT_S, READ_S = 5.0, 30.0
TRIES = 3
BACKOFF_S = (1.0, 2.0)
SOURCE_S, RUN_S = 60.0, 30 * 60.0
LIMIT_BYTES = 64 << 20
REDIRECTS = (301, 302, 303, 307, 308)
MOST_REDIRECTS = 5
FAILURES_IN_A_ROW = 3
KEPT_HEADERS = ("link", "retry-after", "date", "x-aa-tier")
ROBOTS_BYTES = 500 << 10
NETWORK_ERRORS = (requests.RequestException, urllib3.exceptions.HTTPError, OSError)


class _Session(requests.Session):
    """Leaves redirects alone: even where told not to follow, requests would read their bodies, unbounded."""

    def get_redirect_target(self, resp: requests.Response) -> None:
        return None


class Fetcher:
    """The HTTP client of one run; a context manager around one session.

    Deadlines: 60 s a source from `start_source` on, put off by `progress`, and 30 min a run. A host that cannot be
    connected to, or that failed three addresses in a row, is not asked again in this run; nor is one that wants
    more than 10 s of waiting. `robots_answers` holds, by site, the robots.txt answers of this run for storing.
    `clock` (seconds, monotonic) and `sleep` are replaced in tests.
    """

    def __init__(self, settings: Settings, *, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep):
        self.robots_answers: dict[str, Answer] = {}
        self._sites = settings.sites
        self._clock, self._sleep = clock, sleep
        self._rules: dict[str, Protego] = {}
        self._closed: dict[str, Answer] = {}
        self._failures: dict[str, int] = {}
        self._session = _Session()
        self._session.auth = _no_auth
        self._session.cookies.set_policy(cookiejar.DefaultCookiePolicy(allowed_domains=[]))
        self._session.headers.update({"User-Agent": user_agent(settings.contact), "Accept-Encoding": "gzip"})
        self._run_ends = clock() + RUN_S
        self.start_source("")

    def __enter__(self) -> Fetcher:
        return self

    def __exit__(self, *_: object) -> None:
        self._session.close()

    def start_source(self, name: str) -> None:
        """Give a source its 60 s from now on."""
        self._source = name
        self.progress()

    def progress(self) -> None:
        """Put the source's deadline off to 60 s from now: it is working through a backfill."""
        self._source_ends = min(self._clock() + SOURCE_S, self._run_ends)

    def time_left(self) -> float:
        """Seconds until the deadline of the source or the run, whichever comes first."""
        return self._source_ends - self._clock()

    def public_url(self, site: str, path: str, params: Mapping[str, str] | None = None) -> str:
        """The live address of a path, with its parameters sorted by name, whatever address is configured."""
        return self._sites[site].public + locator(path, params)

    def fetch(
        self,
        site: str,
        path: str,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        etag: str | None = None,
        last_modified: str | None = None,
    ) -> Answer:
        """Ask a site (`aa`, `github`, `raw`, `inferencex`) for a path, in plain text, not percent-encoded.

        `etag` and `last_modified` are those of an earlier answer to the same question. robots.txt is asked first
        where the site has pages; a request with a key is the publisher's own offer and not under it.
        """
        started = self._clock()
        place = self._sites[site]
        key = place.token_header(path)
        sent = {**place.headers, **(headers or {}), **key}
        if etag:
            sent["If-None-Match"] = etag
        if last_modified:
            sent["If-Modified-Since"] = last_modified
        request = Request(place, locator(path, params), sent, authorized=bool(key), is_page=place.robots and not key)
        return replace(self._ask(request), seconds=self._clock() - started)

    def _ask(self, request: Request) -> Answer:
        """Up to three tries, and the book-keeping of hosts that fail."""
        host = request.site.key
        for number in range(TRIES):
            if closed := self._closed.get(host):
                return request.answer(closed.outcome, closed.message, stop=closed.stop)
            if self.time_left() <= 0:
                return self._late(request)
            done = self._walk(request)
            wait = max(done.wait_s, BACKOFF_S[min(number, len(BACKOFF_S) - 1)])
            if not done.again or number + 1 == TRIES or wait >= self.time_left():
                break
            self._sleep(wait)
        self._note(host, done)
        return done.answer

    def _note(self, host: str, done: Try) -> None:
        answer, name = done.answer, self._sites[host].host
        self._failures[host] = self._failures.get(host, 0) + 1 if done.failed else 0
        if done.closes:
            self._closed[host] = answer
        elif done.down or self._failures[host] >= FAILURES_IN_A_ROW:
            many = "" if done.down else f" {self._failures[host]} addresses failed in a row; the last:"
            self._closed[host] = replace(answer, outcome="unreachable", message=f"{name} is not asked again in this run.{many} {answer.message}")

    def _late(self, request: Request) -> Answer:
        what = "the run's 30 min" if self._source_ends >= self._run_ends else f"the 60 s of the source {self._source}".rstrip()
        return request.answer("unreachable", f"{request.url} was not asked, because {what} are used up; the next run asks it.", stop=True)

    # ---- one try ---------------------------------------------------------------------------------------------

    def _walk(self, request: Request) -> Try:
        """Ask, following redirects within the host."""
        target = request.site.base + request.locator
        for _ in range(MOST_REDIRECTS + 1):
            if request.is_page and (refusal := self._robots_refusal(request, target)):
                return Try(refusal)
            try:
                with self._get(request, target) as response:
                    if response.status_code not in REDIRECTS:
                        return self._judge(request, response)
                    location = response.headers.get("Location", "")
            except NETWORK_ERRORS as error:
                return self._broken(request, error)
            gone, target = target, _joined(target, location)
            if target == gone or not request.site.owns(target):
                where = short(request.site.publish(location)) or "an address it does not name"
                message = f"{request.url} now leads to {where}, which is not on {request.site.host} and was not followed; check the address."
                return Try(request.answer("moved", message, status=response.status_code))
        return Try(
            request.answer("moved", f"{request.url} leads through more than {MOST_REDIRECTS} redirects; check the address.", status=response.status_code)
        )

    def _get(self, request: Request, target: str) -> requests.Response:
        left = max(self.time_left(), 0.1)
        timeout = (min(CONNECT_S, left), min(READ_S, left))
        return self._session.get(target, headers=dict(request.headers), stream=True, allow_redirects=False, timeout=timeout)

    def _judge(self, request: Request, response: requests.Response) -> Try:
        status = response.status_code
        more: dict[str, Any] = {
            "status": status,
            "final_url": request.site.publish(response.url),
            "etag": _validator(response.headers.get("ETag")),
            "last_modified": _validator(response.headers.get("Last-Modified")),
            "content_type": response.headers.get("Content-Type"),
            "headers": {
                n.lower(): request.site.publish(v) for n, v in response.headers.items() if n.lower() in KEPT_HEADERS or n.lower().startswith("x-ratelimit-")
            },
        }
        if status == 200:
            return self._whole(request, response, more)
        if status == 304 and ("If-None-Match" in request.headers or "If-Modified-Since" in request.headers):
            return Try(request.answer("not_modified", **more))
        return refused(request, response, more, self.time_left)

    def _whole(self, request: Request, response: requests.Response, more: Mapping[str, Any]) -> Try:
        try:
            body = read_body(response, LIMIT_BYTES, self.time_left)
        except BodyError as error:
            return Try(request.answer("invalid", f"{request.url} {error}; nothing of it is used.", **more), again=error.again, failed=True)
        except OutOfTime:
            return Try(
                replace(self._late(request), message=f"{request.url} was still sending when the time for it ran out; the next run asks it again.", **more),
                failed=True,
            )
        if not body and not request.may_be_empty:
            return Try(request.answer("invalid", f"{request.url} answered HTTP 200 with an empty body; nothing of it is used.", **more))
        return Try(request.answer("fetched", body=body, **more))

    def _broken(self, request: Request, error: Exception) -> Try:
        down, again, what = network_fault(error)
        configured = f" {request.site.setting} is set to {request.site.base}." if request.site.base != request.site.public else ""
        message = f"{request.url} could not be read: {what}. The next run asks it again.{configured}"
        return Try(request.answer("unreachable", message, stop=self.time_left() <= 0), again=again, down=down, failed=True)

    # ---- robots.txt ------------------------------------------------------------------------------------------

    def _robots_refusal(self, request: Request, target: str) -> Answer | None:
        site = request.site
        if site.key not in self.robots_answers:
            asked = Request(site, "/robots.txt", {}, authorized=False, is_page=False, may_be_empty=True)
            started = self._clock()
            robots = replace(self._ask(asked), seconds=self._clock() - started)
            self.robots_answers[site.key] = robots
            self._rules[site.key] = Protego.parse((robots.body or b"")[:ROBOTS_BYTES].decode("utf-8", "replace"))
        robots = self.robots_answers[site.key]
        allows_all = robots.status is not None and 400 <= robots.status < 500 and robots.outcome != "rate_limited"
        if robots.outcome != "fetched" and not allows_all:
            outcome = "rate_limited" if robots.outcome == "rate_limited" else "unreachable"
            return request.answer(outcome, f"{request.url} was not asked, because robots.txt could not be had: {robots.message}", stop=robots.stop)
        if robots.outcome == "fetched" and not self._rules[site.key].can_fetch(site.publish(target), PRODUCT):
            return request.answer("disallowed", f"robots.txt of {site.host} does not allow {request.url}, so it was not fetched. {site.ways_on}".strip())
        return None


def user_agent(contact: str | None) -> str:
    """What every request says it is."""
    try:
        version = importlib.metadata.version(PRODUCT)
    except importlib.metadata.PackageNotFoundError:
        version = "unpackaged"
    return f"{PRODUCT}/{version}" + (f" (+{contact})" if contact else "")


def _no_auth(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """Keeps requests from looking for passwords in a .netrc file."""
    return request


def _joined(target: str, location: str) -> str:
    """The address a Location header leads to; what is no address leads nowhere."""
    try:
        return urljoin(target, location)
    except ValueError:
        return target


def _validator(value: str | None) -> str | None:
    """An ETag or a date that can be sent back as it came."""
    return value if value and value.isascii() and value.isprintable() else None
