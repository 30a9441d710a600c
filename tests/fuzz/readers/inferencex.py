"""The answers of InferenceX: rows of today, of the past and of accuracy, options, and what it says of itself."""

from __future__ import annotations

import gzip
import json
from typing import Any

from pipelines.sources.base import Bundle
from pipelines.sources.inferencex.attribution import runs_of
from pipelines.sources.inferencex.discovery import display_names, listed_models, read_object
from pipelines.sources.inferencex.source import INFERENCEX
from pipelines.sources.inferencex.wire import decode_rows
from tests.fuzz.readers.base import Reader, bundle_of
from tests.fuzz.spoiling import Spoiler
from tests.shared import SHARED
from tests.unit.inferencex.by_hand import MODEL, SCOPE, agentic, june, september

OPTIONS = {
    "models": [{"name": MODEL, "dbKeys": ["ex9", "ex9b"]}],
    "hardware": [{"key": "b300", "vendor": "NVIDIA", "costPerHour": {"h": 2.26, "r": 4.25}}, {"key": "mi355x", "costPerHour": {"h": "1.9"}}],
}
OPENAPI = {
    "paths": {"/api/v1/benchmarks": {"get": {"parameters": [{"name": "model", "schema": {"$ref": "#/components/schemas/M"}}]}}, "/api/v1/availability": {}},
    "components": {"schemas": {"M": {"anyOf": [{"enum": [MODEL]}, {"items": {"$ref": "#/components/schemas/M"}}]}}},
}
EVALUATION = {"id": 7, "model": "ex9", "hardware": "b300", "task": "gsm8k", "date": "2026-06-01", "timestamp": "2026-06-01T01:00:00Z"} | {
    "metrics": {"score": 0.9, "score_se": 0.01, "n_eff": 1319}
}
NOTE = {"runs": {}, "images": {}, "aggregates": {}, "asked_days": [], "outliers": [], "known_points": 0}


def _captured() -> list[dict[str, Any]]:
    """Rows of real answers, where they are at hand."""
    path = SHARED / "captures" / "inferencex_api_rows_newest_shape_2026-09.json.gz"
    found = json.loads(gzip.decompress(path.read_bytes())) if path.exists() else []
    return [r for r in (found if isinstance(found, list) else found.get("rows", [])) if isinstance(r, dict)][:20]


CAPTURED = _captured()


def _rows(spoiler: Spoiler) -> list[dict[str, Any]]:
    choice = spoiler.random.choice
    made = [choice([june, september, agentic])(conc=choice([1, 16, 64]), date=choice(["2026-05-20", "2026-05-21"])) for _ in range(choice([1, 2, 4]))]
    return made + ([choice(CAPTURED)] if CAPTURED and spoiler.random.random() < 0.3 else [])


def spoilt(spoiler: Spoiler) -> Bundle:
    resource = spoiler.random.choice(
        ["benchmarks"] * 6
        + ["history"] * 2
        + ["evaluations"] * 3
        + ["options", "options", "openapi", "availability", "workflow_info", "aggregates", "past_rows"]
    )
    trees: dict[str, Any] = {
        "options": OPTIONS,
        "openapi": OPENAPI,
        "evaluations": [EVALUATION, {**EVALUATION, "id": "8", "task": "mmlu"}],
        "workflow_info": {"runs": [{"date": "2026-05-20", "id": 1, "url": "x"}], "changelogs": []},
        "aggregates": {"440845": {"p50": 1}},
    }
    tree = spoiler.tree(trees[resource] if resource in trees else _rows(spoiler))
    body = spoiler.data(spoiler.json(tree).encode("utf-8", "surrogatepass"))
    first = {"role": "history"} if resource == "history" else {"role": "latest", "available": 1, "names": {"ex9": MODEL}}
    note = (json.dumps(NOTE).encode(), {"role": "note"})
    parts = [(body, first), note] if resource in ("benchmarks", "history") else [(body, first)]
    return bundle_of("inferencex", resource, SCOPE, *parts)


def _models(body: bytes) -> Any:
    found = read_object(body)
    return listed_models(found), display_names(found), runs_of(found)


READER = Reader("InferenceX answers", INFERENCEX, spoilt, (_models, lambda body: decode_rows(body, "rows")))
