"""GitHub's REST API and raw files, through the collector.

Rules followed: Link headers are followed and never built, query strings stay the same so that conditional requests
work, immutable answers are asked once, and no call is made when the last answer said that none is left
(docs.github.com, REST API best practices and rate limits).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from pipelines.site import LIVE
from pipelines.sources.base import Capture, Collector
from pipelines.sources.sglang.commits import read_json
from pipelines.sources.sglang.repository import SCOPES, Repository, blob_sha
from pipelines.wellformed import counted

PAGE = "100"
FAILURES_IN_A_ROW = 3
GONE = "moved"
_NEXT = re.compile(r'<([^>]+)>\s*;\s*rel="next"')


class BudgetSpent(Exception):
    """No call to the API is left; what is missing is asked by the next run."""


def is_list(data: bytes) -> str | None:
    """What is wrong with an answer that should be a JSON list; None if nothing."""
    return None if isinstance(read_json(data), list) else "GitHub's answer is not the JSON list that its documentation promises; nothing of it is used."


def has(*keys: str) -> Callable[[bytes], str | None]:
    """A check that an answer is a JSON object with these keys."""

    def wrong(data: bytes) -> str | None:
        answer = read_json(data)
        missing = [k for k in keys if not isinstance(answer, dict) or k not in answer]
        return f"GitHub's answer lacks {', '.join(missing)}; nothing of it is used." if missing else None

    return wrong


# What never changes at its address, by the name it is noted under, and what its answer has to hold.
ONCE = {"detail": has("sha", "commit"), "tree": has("tree"), "pull": has("number", "title"), "run": has("id", "conclusion")}


class GitHub:
    """The REST API of one repository in one run."""

    def __init__(self, run: Collector, repository: Repository):
        self.run, self.repository = run, repository
        self._left: int | None = None

    def get(
        self,
        path: str,
        params: Mapping[str, str] | None = None,
        *,
        resource: str,
        expect: Callable[[bytes], str | None],
        once: bool = False,
        meta: Mapping[str, Any] | None = None,
        set_id: str | None = None,
        scope: str | None = None,
    ) -> Capture:
        """Ask `/repos/<repository><path>`. `once`: the answer never changes.

        Raises BudgetSpent where no call is left, after telling so; StopSource as the collector does.
        """
        return self.call(self.repository.api(path), params, resource=resource, expect=expect, once=once, meta=meta, set_id=set_id, scope=scope)

    def call(self, path: str, params: Mapping[str, str] | None, *, resource: str, **how: Any) -> Capture:
        """Ask a path of the API."""
        if self._left == 0:
            message = "GitHub's limit of API calls is used up; what is missing is asked by the next run."
            if getattr(self.run.settings, "github_token", None) is None:
                message += " A token in GITHUB_TOKEN raises the limit from 60 to 5,000 an hour."
            self.run.failed(resource, LIVE["github"] + path, "rate_limited", message)
            raise BudgetSpent(message)
        capture = self.run.get("github", path, params=params, resource=resource, **how)
        left = _headers(capture).get("x-ratelimit-remaining", "")
        if (number := counted(left)) is not None and capture.captured_at == self.run.at:
            self._left = number
        return capture

    def once(self, kind: str, name: str | int, path: str, params: Mapping[str, str] | None = None, *, resource: str, scope: str | None = None) -> Capture:
        """Ask `/repos/<repository><path>` for what never changes (see ONCE); raises as `get`."""
        return self.get(path, params, resource=resource, scope=scope, expect=ONCE[kind], once=True, meta={kind: name})

    def pages(self, path: str, params: Mapping[str, str], *, resource: str, expect: Callable[[bytes], str | None], **how: Any) -> Iterator[Capture]:
        """The pages of an answer, as long as they are good and name a next one."""
        capture = self.get(path, params, resource=resource, expect=expect, **how)
        while True:
            yield capture
            following = self._next(capture) if capture.ok else None
            if following is None:
                return
            capture = self.call(*following, resource=resource, expect=expect, **how)

    def has_next(self, capture: Capture) -> bool:
        """Whether an answer names a next page."""
        return self._next(capture) is not None

    def _next(self, capture: Capture) -> tuple[str, dict[str, str]] | None:
        """Path and parameters of the next page; those of the earlier answer where this one only says `not modified`."""
        link = _headers(capture).get("link")
        if link is None and capture.outcome == "not_modified":
            earlier = [c for c in self.run.captures(url=capture.url) if c.outcome == "fetched"]
            link = _headers(earlier[-1]).get("link") if earlier else None
        found = _NEXT.search(link or "")
        return question(found[1]) if found else None

    def json(self, capture: Capture) -> Any:
        """The JSON of a good answer."""
        return read_json(self.run.body(capture))


def question(url: str) -> tuple[str, dict[str, str]]:
    """Path and parameters of an address, as `call` takes them."""
    parts = urlsplit(url)
    return unquote(parts.path), dict(parse_qsl(parts.query, keep_blank_values=True))


def _headers(capture: Capture) -> Mapping[str, str]:
    headers = capture.meta.get("headers")
    return headers if isinstance(headers, Mapping) else {}


class FilesDown(Exception):
    """Several files in a row could not be had; the next run asks again."""


class RawFiles:
    """Files at commits from the raw host. Content is fetched once, whatever its path and commit: Git names it by its bytes."""

    def __init__(self, run: Collector, repository: Repository):
        self.run, self.repository = run, repository
        self._by_blob: dict[str, Capture] | None = None
        self._failures = 0

    def get(self, scope: str, blob: str, commit: str, path: str) -> Capture | None:
        """The capture with the bytes of a view's file; None where they could not be had whole.

        Raises FilesDown after several failures in a row.
        """
        known = self.known.get(blob)
        if known is not None:
            return known
        if self._failures >= FAILURES_IN_A_ROW:
            raise FilesDown
        capture = self.run.get(
            "raw",
            f"/{self.repository.name}/{commit}/{path}",
            resource=scope,
            scope=f"{self.repository.url}#files",
            once=True,
            expect=lambda data: _misfit(data, blob),
            meta={"blob": blob, "commit": commit, "path": path},
        )
        if not capture.ok:
            self._failures += 1
            return None
        self._failures = 0
        self.known[blob] = capture
        return capture

    @property
    def known(self) -> dict[str, Capture]:
        """Captures of this lake by blob."""
        if self._by_blob is None:
            self._by_blob = {str(c.meta["blob"]): c for scope in SCOPES for c in self.run.captures(resource=scope) if c.ok and "blob" in c.meta}
        return self._by_blob


def _misfit(data: bytes, blob: str) -> str | None:
    found = blob_sha(data)
    return (
        None if found == blob else f"the bytes are not the file's: Git would name them {found[:12]}, and the commit names {blob[:12]}. The next run asks again."
    )
