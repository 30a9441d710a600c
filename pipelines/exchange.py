"""One exchange with a site: what is asked, what one try gave, and the answer that comes out in the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pipelines.site import Site


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
class Try:
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
class Request:
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

    @property
    def lacks_key(self) -> bool:
        """Whether the site takes a key for this address and none was sent."""
        return self.site.credential_setting is not None and self.locator.startswith(self.site.credential_paths) and not self.authorized

    def answer(self, outcome: str, message: str | None = None, **more: Any) -> Answer:
        return Answer(outcome, self.url, message, authorized=self.authorized, **more)
