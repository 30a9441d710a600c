"""Which page a saved file is, for `megawatch import`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from pipelines.sources.artificial_analysis.places import MODEL_PAGES, PUBLIC, RESOURCES, model_page_resource, scope_of

_MODEL_PAGE = re.compile(re.escape(MODEL_PAGES) + r"([\w.-]+)")
_PAGES = tuple(path for path in RESOURCES if not path.startswith("/api/"))


class UnknownPage(ValueError):
    """An address that is none of the pages the tracker reads; the message lists those it does."""


@dataclass(frozen=True)
class KnownPage:
    """A page the tracker reads, as its captures are filed."""

    resource: str
    scope: str
    url: str


def known_page(url: str) -> KnownPage:
    """The page of a public address; `www.`, a trailing slash and a fragment do not matter.

    Raises UnknownPage.
    """
    parts = urlsplit(url.strip())
    path = parts.path.rstrip("/")
    is_ours = parts.scheme in ("http", "https") and parts.netloc.lower().removeprefix("www.") == urlsplit(PUBLIC).netloc and not parts.query
    model_page = _MODEL_PAGE.fullmatch(path)
    if not is_ours or not (model_page or path in _PAGES):
        known = "\n".join(f"  {PUBLIC}{p}" for p in (*_PAGES, f"{MODEL_PAGES}<slug>"))
        raise UnknownPage(f"{url!r:.200} is no page the tracker reads. Nothing was imported. Known pages of Artificial Analysis:\n{known}")
    return KnownPage(model_page_resource(model_page[1]) if model_page else RESOURCES[path], scope_of(path), PUBLIC + path)
