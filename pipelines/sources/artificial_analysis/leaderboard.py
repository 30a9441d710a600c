"""The model leaderboard: every model that Artificial Analysis lists, as rows of `models`."""

from __future__ import annotations

from typing import Any

from pipelines.sources.artificial_analysis.aliases import INDEX_VERSION_KEYS, MODEL_FIGURES, MODEL_GROUPS, OFFER_KEYS
from pipelines.sources.artificial_analysis.models import Models, read_models, version_text
from pipelines.sources.artificial_analysis.numbers import Unsure
from pipelines.sources.artificial_analysis.page import Page
from pipelines.sources.artificial_analysis.records import Array, arrays, plain_key, resolved
from pipelines.sources.base import Bundle, NoData, Parsed, Unreadable


def parse_leaderboard(bundle: Bundle) -> Parsed:
    """Read the leaderboard page.

    Raises NoData where the page lists no model, Unreadable where it cannot be read for sure.
    """
    models, found = page_models(Page(bundle.body), bundle.scope)
    return Parsed(
        {"models": models.rows},
        suspicions=models.suspicions,
        fields={"models": models.fields},
        warnings=models.warnings,
        shape={"arrays": [_shape(a) for a in found]},
    )


def page_models(page: Page, source_url: str) -> tuple[Models, list[Array]]:
    """The models of a page, and the arrays they were read from.

    Raises NoData and Unreadable.
    """
    found = [a for a in arrays(page.flight, page.trees, closed=lists_models) if a.is_closed]
    if not found:
        raise NoData(f'The page "{page.title}" holds no list of models with figures: neither its data stream nor its JSON-LD has records of models.')
    if not all(a.is_whole for a in found):
        raise Unreadable("The list of models refers to records that the page does not hold; a list with gaps is no list.")
    version, warning = _index_versions(page, found)
    common = {"source": "artificial_analysis", "origin": "scraped", "provenance": "evaluator_measured", "source_url": source_url, "qualifier": "exact"}
    models = read_models([resolved(page.flight, a.records) for a in found], version, **common)
    models.warnings += warning
    models.fields["index version of the page"] = float(version is not None)
    return models, found


def lists_models(records: list[dict[str, Any]]) -> bool:
    """Whether records are of models: each says who it is, some state a figure, none is of a host's offer."""
    shapes = [set(map(plain_key, keys)) for keys in set(map(tuple, records))]
    if not all("name" in keys and keys & {"id", "slug"} and not keys & OFFER_KEYS for keys in shapes):
        return False
    if any(keys & MODEL_FIGURES for keys in shapes):
        return True
    groups = [key for key in set().union(*records) if plain_key(key) in MODEL_GROUPS]
    return any(isinstance(record.get(key), dict) for key in groups for record in records)


def _index_versions(page: Page, found: list[Array]) -> tuple[str | None, list[str]]:
    """The index version that stands beside the lists, from the innermost object that states one."""
    stated = {version for array in found if (version := _stated_version(page, array))}
    if len(stated) > 1:
        return None, [f"The page states several index versions ({', '.join(sorted(stated))}); none is stored."]
    return next(iter(stated), None), []


def _stated_version(page: Page, array: Array) -> str | None:
    for place in array.places():
        for key, value in place.holder.items():
            if plain_key(key) in INDEX_VERSION_KEYS:
                try:
                    return version_text(page.flight.plain(value))
                except Unsure:
                    continue
    return None


def _shape(array: Array) -> dict[str, Any]:
    return {"path": list(array.path), "records": len(array.records), "keys": sorted(set().union(*array.records))}
