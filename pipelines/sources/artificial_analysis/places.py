"""Where Artificial Analysis publishes: addresses, and the resource each one is."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from pipelines.site import LIVE

PUBLIC = LIVE["aa"]

LEADERBOARD = "/leaderboards/models"
DATACENTER = "/hardware-inference-stack/datacenter"
FORMER_DATACENTER = "/benchmarks/hardware"
CONFIGURATIONS = "/benchmarks/hardware/configs"
METHODOLOGY = "/methodology/agentperf"
MODEL_PAGES = "/models/"
API_MODELS = "/api/v2/language/models/free"
API_SCHEMA = "/api/v2/openapi"

_RESOURCES = {
    LEADERBOARD: "leaderboard",
    DATACENTER: "datacenter",
    FORMER_DATACENTER: "datacenter",
    CONFIGURATIONS: "configurations",
    METHODOLOGY: "methodology",
}
_MODEL_PAGE = re.compile(re.escape(MODEL_PAGES) + r"([\w.-]+)")


class UnknownPage(ValueError):
    """An address that is none of the pages the tracker reads; the message lists those it does."""


def scope_of(path: str) -> str:
    """The scope whose history a page's rows belong to. Results moved house once; both addresses are one scope."""
    return PUBLIC + (DATACENTER if path == FORMER_DATACENTER else path)


def model_page_resource(slug: str) -> str:
    """The resource that a model's page is, each on its own."""
    return f"model_page/{slug}"


def known_page(url: str) -> tuple[str, str, str]:
    """(resource, scope, public URL) of a page's public address; a trailing slash and a fragment do not matter.

    Raises UnknownPage.
    """
    parts = urlsplit(url.strip())
    path = parts.path.rstrip("/")
    is_ours = parts.scheme in ("http", "https") and parts.netloc.lower().removeprefix("www.") == urlsplit(PUBLIC).netloc and not parts.query
    model_page = _MODEL_PAGE.fullmatch(path)
    resource = model_page_resource(model_page[1]) if model_page else _RESOURCES.get(path)
    if not is_ours or resource is None:
        known = "\n".join(f"  {PUBLIC}{p}" for p in (*_RESOURCES, MODEL_PAGES + "<slug>"))
        raise UnknownPage(f"{url!r:.200} is no page the tracker reads. Nothing was imported. Known pages of Artificial Analysis:\n{known}")
    return resource, scope_of(path), PUBLIC + path
