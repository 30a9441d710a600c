"""The data API of Artificial Analysis: pages of models, and its description."""

from __future__ import annotations

import re

from pipelines.sources.artificial_analysis.api import pages_in_all
from pipelines.sources.artificial_analysis.source import ArtificialAnalysis
from pipelines.sources.base import Bundle
from tests.fuzz.readers.base import Reader, bundle_of
from tests.fuzz.spoiling import ODD_TEXTS, Spoiler
from tests.helpers.aa_pages import PUBLIC

URL = f"{PUBLIC}/api/v2/language/models/free"
SCHEMA = """openapi: 3.1.0
paths:
  /api/v2/language/models/free:
    get:
      responses: {}
components:
  schemas:
    Model:
      properties:
        id: {type: string}
        "name":
          type: string
        pricing:
          properties:
            price_1m_input_tokens: {type: number}
"""
LINES = re.compile(r"[^\n]*\n|[^\n]+")


def _model(number: int) -> dict:
    return {
        "id": f"id-{number}",
        "name": f"Model {number}",
        "slug": f"model-{number}",
        "release_date": "2026-10-15",
        "model_creator": {"id": "m", "name": "Meta"},
        "evaluations": {"artificial_analysis_intelligence_index": 39.0},
        "artificial_analysis_intelligence_index_cost": {"cost_per_task": {"total_cost": 0.84}},
        "pricing": {"price_1m_input_tokens": 1.25, "price_1m_output_tokens": 4.25, "price_1m_cache_hit_tokens": 0.0},
        "performance": {"median_output_tokens_per_second": 142.9, "median_time_to_first_token_seconds": 0.76},
    }


def spoilt(spoiler: Spoiler) -> Bundle:
    if spoiler.random.random() < 0.15:
        text = spoiler.text(SCHEMA, LINES, (*ODD_TEXTS, " " * 4000 + "a:\n", "a:\n" * 3000, '"' * 3000 + ":\n"))
        return bundle_of("artificial_analysis", "api_schema", f"{PUBLIC}/api/v2/openapi", (spoiler.data(text.encode("utf-8", "surrogatepass")), {}))
    total = spoiler.random.choice([1, 1, 2, 3])
    bodies = []
    for number in range(1, total + 1):
        pagination = {"page": number, "page_size": 2, "total_pages": total, "has_more": number < total}
        page = {"tier": "free", "intelligence_index_version": 4.3, "pagination": pagination, "data": [_model(2 * number + n) for n in range(2)]}
        page = spoiler.tree(page) if spoiler.random.random() < 0.8 else page
        bodies.append((spoiler.data(spoiler.json(page).encode("utf-8", "surrogatepass")), {}))
    return bundle_of("artificial_analysis", "models_api", URL, *bodies)


READER = Reader("AA data API", ArtificialAnalysis(), spoilt, (pages_in_all,))
