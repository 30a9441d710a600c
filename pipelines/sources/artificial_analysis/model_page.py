"""A model's own page, as facts on the model.

The leaderboard is what feeds `models`: prices per token, index and speed of a model stand there and only there. What
its page says besides is kept as `model_facts` of the page's own scope.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from pipelines.sources.artificial_analysis.leaderboard import page_models
from pipelines.sources.artificial_analysis.page import Page
from pipelines.sources.base import Bundle, NoData, Parsed
from pipelines.tables import TABLES

FACTS = (
    *("creator", "release_date", "open_weights", "license", "size_class", "total_parameters_b", "active_parameters_b", "context_window_tokens"),
    *("cache_write_usd_mtok", "cache_discount_ratio", "blend_7_2_1_usd_mtok", "index_version", "index_is_estimated", "index_usd_task"),
)


def parse_model_page(bundle: Bundle) -> Parsed:
    """Read a model's page.

    Raises NoData where the page does not hold the model its address names, Unreadable where it cannot be read for sure.
    """
    slug = bundle.scope.rsplit("/", 1)[-1]
    page = Page(bundle.body)
    models, _ = page_models(page, bundle.scope)
    own = next((row for row in models.rows if row.get("slug") == slug), None)
    if own is None:
        raise NoData(f'The page "{page.title}" holds no record with the slug {slug}.')
    units = {c.name: c.metadata["unit"] for c in TABLES["models"].columns}
    rows = [_fact(own, name, units[name]) for name in FACTS if own.get(name) is not None]
    return Parsed({"model_facts": rows}, fields={"model_facts": models.fields}, warnings=models.warnings)


def _fact(model: dict[str, Any], name: str, unit: str | None) -> dict[str, Any]:
    value = model[name]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return {
        "model": model.get("name"),
        "fact": name,
        "value": float(value) if is_number else None,
        "value_text": _written(value),
        "unit": unit if is_number else None,
        **{key: model.get(key) for key in ("source", "origin", "provenance", "source_url", "qualifier")},
    }


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dt.date):
        return value.isoformat()
    return f"{value:.12g}" if isinstance(value, float) else str(value)
