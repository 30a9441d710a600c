"""What refusals, waits and broken exchanges mean, in words.

Formats: Retry-After and HTTP dates (RFC 9110 sections 10.2.3 and 5.6.7), X-RateLimit headers and the wording of GitHub's REST limits.
"""

from __future__ import annotations

import datetime as dt
import email.utils
import json
from collections.abc import Callable, Mapping
from typing import Any

import requests
import urllib3

from pipelines.body import BodyError, OutOfTime, read_body
from pipelines.exchange import Request, Try

LONGEST_WAIT_S = 10.0
ERROR_BODY_BYTES = 64 << 10
LIMIT_SIGNS = ("secondary rate limit", "rate limit exceeded", "abuse detection")
SHORT_CHARACTERS = 200


def refused(request: Request, response: requests.Response, more: Mapping[str, Any], time_left: Callable[[], float]) -> Try:
    """What an answer other than 200 and 304 comes to; `more` are the fields of its Answer."""
    status, site = response.status_code, request.site
    said = _said(request, response, time_left)
    told = f"{request.url} answered HTTP {status}" + (f' ("{said}")' if said else "")
    wait = retry_after_s(response.headers)
    too_long, spent = (wait or 0) > LONGEST_WAIT_S, is_spent(response.headers, said)
    if status == 429 or (status == 403 and (wait is not None or spent)):
        own = f" A key in {site.credential_setting} raises the limit." if request.lacks_key else ""
        message = f"{told}: it asks for fewer requests{until(response.headers, wait)}. The source is left alone for this run.{own}"
        return Try(request.answer("rate_limited", message, stop=True, **more), again=not (too_long or spent), wait_s=wait or 0.0, closes=True)
    if status >= 500 and too_long:
        return Try(
            request.answer("unreachable", f"{told} and asks to wait {wait:.0f} s; the next run asks it again.", stop=True, **more), failed=True, closes=True
        )
    if status >= 500:
        return Try(request.answer("unreachable", f"{told}; the next run asks it again.", **more), again=True, wait_s=wait or 0.0, failed=True)
    if status in (404, 410):
        return Try(request.answer("moved", f"{told}: nothing is published at this address any more, or yet.", **more))
    if status in (401, 403, 451):
        return Try(request.answer("disallowed", f"{told}: {_why(request, status)}", **more))
    return Try(request.answer("invalid" if 200 <= status < 300 else "unreachable", f"{told}, which is no answer to use.", **more))


def _said(request: Request, response: requests.Response, time_left: Callable[[], float]) -> str:
    """The site's own words on a refusal, where it gives them as JSON."""
    try:
        told = json.loads(read_body(response, ERROR_BODY_BYTES, time_left))
    except (BodyError, OutOfTime, ValueError, RecursionError, requests.RequestException, urllib3.exceptions.HTTPError, OSError):
        return ""
    words = (told.get("message") or told.get("error")) if isinstance(told, dict) else None
    return short(request.site.conceal(words)) if isinstance(words, str) else ""


def _why(request: Request, status: int) -> str:
    name = request.site.credential_setting
    if request.authorized and status == 401:
        return f"the key in {name} is not accepted; check or renew it."
    if request.authorized:
        return f"the key in {name} is accepted but does not cover this address."
    if status == 401 and request.lacks_key:
        return f"a key is needed; put it in {name}."
    return f"the site refuses this request. {request.site.ways_on}".strip()


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds of a Retry-After header, given in seconds or as a date (then counted from the answer's own date)."""
    text = headers.get("Retry-After", "").strip()
    if text.isdecimal():
        return float(text)
    end, now = _date(text), _date(headers.get("Date", ""))
    if end is None:
        return None
    return max(0.0, (end - (now or dt.datetime.now(dt.UTC))).total_seconds())


def _date(text: str) -> dt.datetime | None:
    try:
        when = email.utils.parsedate_to_datetime(text)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
    return when if when.tzinfo else when.replace(tzinfo=dt.UTC)


def until(headers: Mapping[str, str], wait: float | None) -> str:
    """How long a limit lasts, as the end of a sentence; empty where the headers do not say."""
    if wait is not None:
        return f" for {wait:.0f} s"
    reset = headers.get("X-RateLimit-Reset", "").strip()
    if not reset.isdecimal() or len(reset) > 11:
        return ""
    return f" until {dt.datetime.fromtimestamp(int(reset), dt.UTC):%Y-%m-%d %H:%M} UTC"


def is_spent(headers: Mapping[str, str], words: str) -> bool:
    """Whether headers or the site's own words say that a limit is used up, so that no short wait helps."""
    return headers.get("X-RateLimit-Remaining", "").strip() == "0" or any(sign in words.lower() for sign in LIMIT_SIGNS)


def network_fault(error: Exception) -> tuple[bool, bool, str]:
    """(whether the host itself is down, whether another try may help, what happened) for a failed exchange."""
    chain: list[str] = []
    queue: list[Any] = [error]
    while queue and len(chain) < 20:
        one = queue.pop(0)
        chain.append(type(one).__name__)
        queue += [part for part in (getattr(one, "reason", None), one.__cause__, one.__context__, *getattr(one, "args", ())) if isinstance(part, BaseException)]
    names = set(chain)
    if names & {"NameResolutionError", "gaierror"}:
        return True, True, "its name is not found"
    if names & {"ConnectTimeout", "ConnectTimeoutError"}:
        return True, True, "it does not take connections in time"
    if names & {"NewConnectionError", "ConnectionRefusedError", "ProxyError"}:
        return True, True, "it takes no connections"
    if names & {"SSLError", "SSLCertVerificationError"}:
        return True, True, "its certificate or encryption is not in order"
    if names & {"ReadTimeout", "ReadTimeoutError", "TimeoutError"}:
        return False, False, "it did not answer in time"  # waiting as long again would cost the other pages their turn
    if names & {"ConnectionResetError", "RemoteDisconnected", "BrokenPipeError", "ConnectionAbortedError"}:
        return False, True, "it dropped the connection"
    return False, True, f"what it sent is not HTTP as it should be ({chain[0]})"


def short(text: str) -> str:
    """Foreign words for a sentence of ours: one line, printable, at most 200 characters."""
    return "".join(c if c.isprintable() else " " for c in text)[:SHORT_CHARACTERS].strip()
