"""What refusals, waits and broken exchanges mean, in words.

Formats: Retry-After and HTTP dates (RFC 9110 sections 10.2.3 and 5.6.7), X-RateLimit headers and the wording of GitHub's REST limits.
"""

from __future__ import annotations

import datetime as dt
import email.utils
from collections.abc import Mapping
from typing import Any

LIMIT_SIGNS = ("secondary rate limit", "rate limit exceeded", "abuse detection")
SHORT_CHARACTERS = 200


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds of a Retry-After header, given in seconds or as a date (then counted from the answer's own date)."""
    text = headers.get("Retry-After", "").strip()
    if text.isdigit():
        return float(text)
    until, now = _date(text), _date(headers.get("Date", ""))
    if until is None:
        return None
    return max(0.0, (until - (now or dt.datetime.now(dt.UTC))).total_seconds())


def _date(text: str) -> dt.datetime | None:
    try:
        when = email.utils.parsedate_to_datetime(text)
    except ValueError:
        return None
    return when if when.tzinfo else when.replace(tzinfo=dt.UTC)


def until(headers: Mapping[str, str], wait: float | None) -> str:
    """How long a limit lasts, as the end of a sentence; empty where the headers do not say."""
    if wait is not None:
        return f" for {wait:.0f} s"
    reset = headers.get("X-RateLimit-Reset", "").strip()
    if not reset.isdigit() or len(reset) > 11:
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
