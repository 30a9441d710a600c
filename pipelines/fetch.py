"""Fetch: one polite HTTP client. It asks, waits within bounds, and says what came of it; it never reads content.

Whatever the outside does ends in an `Answer`, never in an exception. What an answer shows (addresses, messages)
names the public address of a site and no key. Sources of the rules: RFC 9309 (robots.txt), RFC 9110 (conditional
requests, Retry-After), GitHub's REST rate limits.
"""

from __future__ import annotations

import importlib.metadata
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus, cookiejar
from typing import Any
from urllib.parse import urljoin

import requests
import urllib3
from protego import Protego

from pipelines.body import BodyError, OutOfTime, read_body
from pipelines.refusals import is_spent, network_fault, retry_after_s, short, until
from pipelines.settings import Settings
from pipelines.site import Site, locator

PRODUCT = "megawatch"
CONNECT_S, READ_S = 5.0, 30.0
TRIES = 3
BACKOFF_S = (1.0, 2.0)
LONGEST_WAIT_S = 10.0
SOURCE_S, RUN_S = 60.0, 30 * 60.0
LIMIT_BYTES = 64 << 20
ERROR_BODY_BYTES = 64 << 10
REDIRECTS = (301, 302, 303, 307, 308)
MOST_REDIRECTS = 5
FAILURES_IN_A_ROW = 3
KEPT_HEADERS = ("link", "retry-after", "date", "x-aa-tier")
ROBOTS_BYTES = 500 << 10
NETWORK_ERRORS = (requests.RequestException, urllib3.exceptions.HTTPError, OSError)


@dataclass(frozen=True)
class Answer:
    """What came of asking for one address.

    `outcome`: `fetched` (HTTP 200 with a whole body), `not_modified` (304), `moved` (404, 410, or a redirect away
    from the host), `disallowed` (robots.txt, or the site refuses: 401, 403, 451), `rate_limited`, `invalid` (a body
    that is empty, broken or too large), `unreachable` (no usable answer).
    `body` are the unpacked bytes of a fetched answer, else NULL. `url` and `final_url` (after redirects) are public
    addresses. `headers` are those worth keeping, names in lower case. `authorized`: a key was sent along.
    `message` is a sentence for people, NULL when fetched or not modified. `stop`: ask this source nothing more in
    this run. `seconds` is the time it took.
    """

    outcome: str
    url: str
    message: str | None = None
    status: int | None = None
    body: bytes | None = None
    final_url: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    content_type: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    authorized: bool = False
    stop: bool = False
    seconds: float = 0.0


@dataclass(frozen=True)
class _Try:
    """One try. `again`: another may do better, after at least `wait_s`. `failed`: by no fault of the question.

    `down`: the host itself does not answer. `closes`: the host asks to be left alone.
    """

    answer: Answer
    again: bool = False
    wait_s: float = 0.0
    failed: bool = False
    down: bool = False
    closes: bool = False


@dataclass(frozen=True)
class _Request:
    """An address of a site to ask for; `may_be_empty` allows a body of no bytes, `is_page` puts it under robots.txt."""

    site: Site
    locator: str
    headers: Mapping[str, str]
    authorized: bool
    is_page: bool
    may_be_empty: bool = False

    @property
    def url(self) -> str:
        return self.site.public + self.locator

    def answer(self, outcome: str, message: str | None = None, **more: Any) -> Answer:
        return Answer(outcome, self.url, message, authorized=self.authorized, **more)


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
        self._session = requests.Session()
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
        request = _Request(place, locator(path, params), sent, authorized=bool(key), is_page=place.robots and not key)
        return replace(self._ask(request), seconds=self._clock() - started)

    def _ask(self, request: _Request) -> Answer:
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

    def _note(self, host: str, done: _Try) -> None:
        answer, name = done.answer, self._sites[host].host
        self._failures[host] = self._failures.get(host, 0) + 1 if done.failed else 0
        if done.closes:
            self._closed[host] = answer
        elif done.down or self._failures[host] >= FAILURES_IN_A_ROW:
            many = "" if done.down else f" {self._failures[host]} addresses failed in a row; the last:"
            self._closed[host] = replace(answer, outcome="unreachable", message=f"{name} is not asked again in this run.{many} {answer.message}")

    def _late(self, request: _Request) -> Answer:
        what = "the run's 30 min" if self._source_ends >= self._run_ends else f"the 60 s of the source {self._source}".rstrip()
        return request.answer("unreachable", f"{request.url} was not asked, because {what} are used up; the next run asks it.", stop=True)

    # ---- one try ---------------------------------------------------------------------------------------------

    def _walk(self, request: _Request) -> _Try:
        """Ask, following redirects within the host."""
        target = request.site.base + request.locator
        for _ in range(MOST_REDIRECTS + 1):
            if request.is_page and (refusal := self._robots_refusal(request, target)):
                return _Try(refusal)
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
                return _Try(request.answer("moved", message, status=response.status_code))
        return _Try(
            request.answer("moved", f"{request.url} leads through more than {MOST_REDIRECTS} redirects; check the address.", status=response.status_code)
        )

    def _get(self, request: _Request, target: str) -> requests.Response:
        left = max(self.time_left(), 0.1)
        timeout = (min(CONNECT_S, left), min(READ_S, left))
        return self._session.get(target, headers=dict(request.headers), stream=True, allow_redirects=False, timeout=timeout)

    def _judge(self, request: _Request, response: requests.Response) -> _Try:
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
        if status == HTTPStatus.OK:
            return self._whole(request, response, more)
        if status == HTTPStatus.NOT_MODIFIED and ("If-None-Match" in request.headers or "If-Modified-Since" in request.headers):
            return _Try(request.answer("not_modified", **more))
        return self._refused(request, response, more)

    def _whole(self, request: _Request, response: requests.Response, more: Mapping[str, Any]) -> _Try:
        try:
            body = read_body(response, LIMIT_BYTES, self.time_left)
        except BodyError as error:
            return _Try(request.answer("invalid", f"{request.url} {error}; nothing of it is used.", **more), again=error.again, failed=True)
        except OutOfTime:
            return _Try(
                replace(self._late(request), message=f"{request.url} was still sending when the time for it ran out; the next run asks it again.", **more),
                failed=True,
            )
        if not body and not request.may_be_empty:
            return _Try(request.answer("invalid", f"{request.url} answered HTTP 200 with an empty body; nothing of it is used.", **more))
        return _Try(request.answer("fetched", body=body, **more))

    def _refused(self, request: _Request, response: requests.Response, more: Mapping[str, Any]) -> _Try:
        status, site = response.status_code, request.site
        said = self._said(request, response)
        told = f"{request.url} answered HTTP {status}" + (f' ("{said}")' if said else "")
        wait = retry_after_s(response.headers)
        too_long, spent = (wait or 0) > LONGEST_WAIT_S, is_spent(response.headers, said)
        if status == 429 or (status == 403 and (wait is not None or spent)):
            own = "" if request.authorized or not site.credential_setting else f" A key in {site.credential_setting} raises the limit."
            message = f"{told}: it asks for fewer requests{until(response.headers, wait)}. The source is left alone for this run.{own}"
            return _Try(request.answer("rate_limited", message, stop=True, **more), again=not (too_long or spent), wait_s=wait or 0.0, closes=True)
        if status >= 500 and too_long:
            return _Try(
                request.answer("unreachable", f"{told} and asks to wait {wait:.0f} s; the next run asks it again.", stop=True, **more), failed=True, closes=True
            )
        if status >= 500:
            return _Try(request.answer("unreachable", f"{told}; the next run asks it again.", **more), again=True, wait_s=wait or 0.0, failed=True)
        if status in (404, 410):
            return _Try(request.answer("moved", f"{told}: nothing is published at this address any more, or yet.", **more))
        if status in (401, 403, 451):
            return _Try(request.answer("disallowed", f"{told}: {_why(request, status)}", **more))
        return _Try(request.answer("invalid" if 200 <= status < 300 else "unreachable", f"{told}, which is no answer to use.", **more))

    def _said(self, request: _Request, response: requests.Response) -> str:
        """The site's own words on a refusal, where it gives them as JSON."""
        try:
            told = json.loads(read_body(response, ERROR_BODY_BYTES, self.time_left))
        except (BodyError, OutOfTime, ValueError, RecursionError, *NETWORK_ERRORS):
            return ""
        words = (told.get("message") or told.get("error")) if isinstance(told, dict) else None
        return request.site.conceal(short(words)) if isinstance(words, str) else ""

    def _broken(self, request: _Request, error: Exception) -> _Try:
        down, again, what = network_fault(error)
        configured = f" {request.site.setting} is set to {request.site.base}." if request.site.base != request.site.public else ""
        message = f"{request.url} could not be read: {what}. The next run asks it again.{configured}"
        return _Try(request.answer("unreachable", message, stop=self.time_left() <= 0), again=again, down=down, failed=True)

    # ---- robots.txt ------------------------------------------------------------------------------------------

    def _robots_refusal(self, request: _Request, target: str) -> Answer | None:
        site = request.site
        if site.key not in self.robots_answers:
            asked = _Request(site, "/robots.txt", {}, authorized=False, is_page=False, may_be_empty=True)
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


def _why(request: _Request, status: int) -> str:
    name = request.site.credential_setting
    if request.authorized and status == 401:
        return f"the key in {name} is not accepted; check or renew it."
    if request.authorized:
        return f"the key in {name} is accepted but does not cover this address."
    if status == 401 and name:
        return f"a key is needed; put it in {name}."
    return f"the site refuses this request. {request.site.ways_on}".strip()


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
    return value if value and value.isprintable() else None
