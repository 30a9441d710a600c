"""What a run asks Artificial Analysis for: each page once a day."""

from __future__ import annotations

from pipelines.sources.artificial_analysis.api import pages_in_all
from pipelines.sources.artificial_analysis.places import (
    API_MODELS,
    API_SCHEMA,
    CONFIGURATIONS,
    DATACENTER,
    FORMER_DATACENTER,
    LEADERBOARD,
    METHODOLOGY,
    MODEL_PAGES,
    RESOURCES,
    model_page_resource,
    scope_of,
)
from pipelines.sources.base import Capture, Collector, Unreadable

SITE = "aa"
MOST_API_PAGES = 50


def collect(run: Collector) -> None:
    """Ask for every page; one that fails does not stop the others."""
    _page(run, LEADERBOARD)
    if _page(run, DATACENTER).outcome == "moved":
        _page(run, FORMER_DATACENTER)
    _page(run, CONFIGURATIONS)
    _page(run, METHODOLOGY)
    _model_pages(run)
    _page(run, API_SCHEMA)
    if run.settings.aa_api_key is not None:
        _api(run)


def _page(run: Collector, path: str, resource: str | None = None) -> Capture:
    return run.get(SITE, path, resource=resource or RESOURCES[path], scope=scope_of(path))


def _model_pages(run: Collector) -> None:
    """Pages of the models named in the settings, once the leaderboard lists them: before, there is no such page."""
    wanted = run.settings.model_pages
    if not wanted:
        return
    run.ingest()
    listed = {row["slug"] for row in run.live("models", scope_of(LEADERBOARD))}
    for slug in wanted:
        if slug in listed:
            _page(run, MODEL_PAGES + slug, model_page_resource(slug))


def _api(run: Collector) -> None:
    """All pages of the data API's list as one set; where one fails, the set stays incomplete and is no snapshot."""
    set_id = f"aa-models-api-{run.at:%Y%m%dT%H%M%S}"
    number, total = 1, 1
    while number <= min(total, MOST_API_PAGES):
        capture = run.get(SITE, API_MODELS, resource=RESOURCES[API_MODELS], scope=scope_of(API_MODELS), set_id=set_id, params={"page": str(number)})
        if not capture.ok:
            return
        if number == 1:
            try:
                total = pages_in_all(run.body(capture))
            except Unreadable:
                return
        number += 1
