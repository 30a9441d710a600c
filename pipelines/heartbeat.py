"""Tells a monitor elsewhere that a run began and how it ended, so that a job that never ran is noticed.

The address gets a GET at `/start`, then at itself on success or at `/fail`, as common heartbeat monitors expect.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

import requests

TIMEOUT_S = 5


@dataclass
class Beat:
    """What to tell when the run ends."""

    succeeded: bool = False


@contextlib.contextmanager
def beating(url: str | None) -> Iterator[Beat]:
    """Ping around a run; a monitor that does not answer never stops a run."""
    beat = Beat()
    _ping(url, "/start")
    try:
        yield beat
    finally:
        _ping(url, "" if beat.succeeded else "/fail")


def _ping(url: str | None, suffix: str) -> None:
    if url:
        with contextlib.suppress(requests.RequestException):
            requests.get(url.rstrip("/") + suffix, timeout=TIMEOUT_S, allow_redirects=False)
