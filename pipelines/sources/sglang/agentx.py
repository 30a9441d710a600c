"""Generated AgentX files: launch recipes mirrored from InferenceX submissions, one record a recipe and concurrency.

The files hold no figures (those are in the linked InferenceX run), so their records are `pending`: they tell which
deployments exist, with GPUs, image, KV offload, acceptance and run.
Format: `{model, source: {repo}, cells: [{hw, ckpt, label, gpus, configKey, image, disclosures, prov, points: [{concs, kv, goldenAL}]}]}`.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from pipelines import names
from pipelines.schema import canonical_json, content_id
from pipelines.sources.sglang import figures
from pipelines.sources.sglang.benchmarks import WEIGHT_FORMATS, Place, Points, common
from pipelines.sources.sglang.literals import Literal, Module
from pipelines.sources.sglang.parallelism import from_words

OFFLOADS = ("none", "hicache", "mooncake")
_IDENTITY = ("hw", "ckpt", "label", "configKey")


def agentx_points(module: Module, place: Place) -> Points | None:
    """The records of an AgentX file; None where it declares no cells."""
    literal = module.values.get("agentx") or next((v for v in module.values.values() if isinstance(v.value, dict) and "cells" in v.value), None)
    if literal is None or not isinstance(literal.value, dict) or not isinstance(literal.value.get("cells", Literal(None)).value, list):
        return None
    data = literal.plain()
    source = data.get("source")
    repository = source.get("repo") if isinstance(source, dict) else None
    model = data.get("model") if isinstance(data.get("model"), str) else place.model
    found, numbered = Points(), Counter[str]()
    for cell in data["cells"]:
        if isinstance(cell, dict) and isinstance(cell.get("hw"), str):
            for point in _dicts(cell.get("points")):
                for concurrency in _concurrencies(point):
                    record = {**common(place), "model": model, **_cell(cell, repository), **_point(cell, point, concurrency, place)}
                    key = record["point_id"]
                    numbered[key] += 1
                    if numbered[key] > 1:
                        record["point_id"] = content_id(key, numbered[key])
                    found.records.append(record)
            if names.accelerator(cell["hw"]) is None:
                found.unmatched.add(cell["hw"])
    return found


def _cell(cell: dict[str, Any], repository: Any) -> dict[str, Any]:
    accelerator = names.accelerator(cell["hw"])
    layout = from_words(str(cell.get("label") or ""), cell["hw"])
    words = re.split(r"[-_/]", f"{cell.get('configKey') or ''}-{cell.get('ckpt') or ''}".lower())
    precision = next((w for w in words if w in (*WEIGHT_FORMATS, "fp4")), None)
    raw_prov = cell.get("prov")
    provenance: dict[str, Any] = raw_prov if isinstance(raw_prov, dict) else {}
    run, image, gpus = _text(provenance.get("run")), _text(cell.get("image")), figures.count(cell.get("gpus"))
    disclosures = cell.get("disclosures")
    label = str(cell.get("label") or "").lower()
    return {
        "accelerator": accelerator.name if accelerator else cell["hw"],
        "vendor": accelerator.vendor if accelerator else None,
        "accelerators": gpus,
        "accelerators_from": "row" if gpus else None,
        "precision": precision,
        "weight_format": precision.upper() if precision in WEIGHT_FORMATS else None,
        "framework_version": image.partition("@")[0] if image else None,
        "framework_version_class": "image" if image else None,
        "tp": layout.tp,
        "ep": layout.ep,
        "dp": layout.dp,
        "disaggregated": True if "disagg" in label or "pd" in label.split() else False if "agg" in label else None,
        "scenario": "agentic_traces",
        "dataset": "agentx",
        "cache_hit_kind": "missing",
        "synthetic_acceptance": True if isinstance(disclosures, list) and "synthetic-acceptance" in disclosures else None,
        "synthetic_acceptance_from": "disclosures" if isinstance(disclosures, list) and "synthetic-acceptance" in disclosures else None,
        "verified": provenance["status"].startswith("verified") if isinstance(provenance.get("status"), str) else None,
        "status": "pending",
        "flags": [],
        "run_id": run.partition("/")[0] if run else None,
        "run_url": f"{repository}/actions/runs/{run}" if run and isinstance(repository, str) and repository.startswith("https://github.com/") else None,
    }


def _point(cell: dict[str, Any], point: dict[str, Any], concurrency: int | None, place: Place) -> dict[str, Any]:
    offload = point.get("kv") if point.get("kv") in OFFLOADS else None
    identity = [cell.get(k) for k in _IDENTITY] + [point.get("override"), point.get("kv"), point.get("job")]
    kept = {k: cell.get(k) for k in ("id", "image", "imageStatus", "submitted", "detail", "setup", "prov")}
    return {
        "point_id": content_id("sglang", place.model_key, "agentx", canonical_json(identity), concurrency),
        "match": canonical_json({k: cell[k] for k in _IDENTITY if cell.get(k) is not None}),
        "concurrency": concurrency,
        "kv_offload": offload,
        "extra": canonical_json({k: v for k, v in {**kept, "point": {k: v for k, v in point.items() if k != "concs"}}.items() if v not in (None, [], {})}),
    }


def _concurrencies(point: dict[str, Any]) -> list[int | None]:
    written = point.get("concs", point.get("conc"))
    members = written if isinstance(written, list) else [written]
    return [figures.count(c) for c in members] or [None]


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [v for v in value if isinstance(v, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str | None:
    return value.strip() or None if isinstance(value, str) else None
