"""The data API v2: the listed models with prices and speeds, in pages.

Figures are rounded: indices to 0.1, prices to 0.01 or less. A cached price of 0 beside a price for input is below
that resolution, not free, and is left empty.
"""

from __future__ import annotations

from typing import Any

from pipelines.sources.artificial_analysis.flight import decode_json
from pipelines.sources.artificial_analysis.models import read_models, version_text
from pipelines.sources.artificial_analysis.numbers import Unsure
from pipelines.sources.artificial_analysis.records import flat, stated
from pipelines.sources.base import Bundle, Incomplete, NoData, Parsed, Unreadable


def parse_api(bundle: Bundle) -> Parsed:
    """Read a set of pages of /api/v2/language/models/free.

    Raises Incomplete while pages are missing, NoData where the API lists no model, Unreadable where the pages do not
    fit together or are not what the API answers.
    """
    pages = _in_order([_page(part.body) for part in bundle.parts])
    models = [model for page in pages for model in page["data"]]
    if not models:
        raise NoData("The data API lists no model.")
    ids = [m.get("id") for m in models]
    if len(set(map(str, ids))) < len(ids):
        raise Unreadable("The data API's pages list a model twice: the list changed while it was paged. The next run asks again.")
    common = {"source": "artificial_analysis", "origin": "api", "provenance": "evaluator_measured", "source_url": bundle.scope, "qualifier": "about"}
    made = read_models([[stated(flat(m)) for m in models]], _index_version(pages), **common)
    below = 0
    for row in made.rows:
        if row.get("cached_input_usd_mtok") == 0 and row.get("input_usd_mtok"):
            row["cached_input_usd_mtok"] = None
            below += 1
    if below:
        made.warnings.append(f"{below} cached prices are below what the API's rounding shows and are left empty.")
    return Parsed(
        {"models": made.rows},
        suspicions=made.suspicions,
        fields={"models": made.fields},
        warnings=made.warnings,
        shape={"pages": len(pages), "tier": str(pages[0].get("tier"))},
    )


def pages_in_all(body: bytes) -> int:
    """How many pages the list has, as one of them says.

    Raises Unreadable.
    """
    return _page(body)["pagination"]["total_pages"]


def _page(body: bytes) -> dict[str, Any]:
    try:
        page = decode_json(body.decode())
    except UnicodeDecodeError as why:
        raise Unreadable("The data API's answer is no text.") from why
    if not isinstance(page, dict) or not isinstance(page.get("data"), list) or not all(isinstance(m, dict) for m in page["data"]):
        told = page.get("error") if isinstance(page, dict) else None
        raise Unreadable(f"The data API's answer holds no list of models{f': {told!r:.120}' if told else ''}.")
    pagination = page.get("pagination")
    numbers = [pagination.get(k) if isinstance(pagination, dict) else None for k in ("page", "total_pages")]
    if not all(isinstance(n, int) and not isinstance(n, bool) and n >= 1 for n in numbers):
        raise Unreadable("The data API's answer does not say which page of how many it is; without that it cannot be told whether the list is whole.")
    return page


def _in_order(pages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    totals = {p["pagination"]["total_pages"] for p in pages}
    if len(totals) > 1:
        raise Unreadable("The data API's pages do not agree on how many they are: the list changed while it was paged. The next run asks again.")
    (total,) = totals
    by_number = {p["pagination"]["page"]: p for p in pages}
    if len(by_number) < total or set(by_number) != set(range(1, total + 1)):
        raise Incomplete(f"{len(by_number)} of {total} pages are here.")
    ordered = [by_number[n] for n in range(1, total + 1)]
    sizes = [len(p["data"]) for p in ordered]
    says_more = [p["pagination"].get("has_more") for p in ordered]
    if says_more[-1] or False in says_more[:-1] or any(size != sizes[0] for size in sizes[:-1]):
        raise Unreadable(f"The data API's {total} pages do not make one whole list: they hold {sizes} models and say of more to come: {says_more}.")
    return ordered


def _index_version(pages: list[dict[str, Any]]) -> str | None:
    try:
        versions = {version_text(p.get("intelligence_index_version")) for p in pages}
    except Unsure as why:
        raise Unreadable(f"The data API's index version cannot be read: {why}.") from why
    if len(versions) > 1:
        raise Unreadable("The data API's pages are of two index versions: the list changed while it was paged. The next run asks again.")
    return versions.pop()
