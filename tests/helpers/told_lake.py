"""Small lakes for the dashboard's tests: sources that say what the test writes, published by the project's own path."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pipelines.lake import Lake, new_capture
from pipelines.refresh import RefreshOptions, opened
from pipelines.settings import Settings
from pipelines.sources.base import Parsed, Terms
from pipelines.sources.registry import SOURCES
from pipelines.tables import TABLES

ORIGINS = {"artificial_analysis": "scraped", "sglang": "git", "inferencex": "api", "curated": "curated"}
PAGES = {name: f"https://{name.replace('_', '-')}.example/page" for name in ORIGINS}


class ToldSource:
    """A source whose pages are JSON objects: records by table, dates as ISO 8601."""

    parser_version = "1"
    tables = tuple(TABLES)

    def __init__(self, name: str):
        self.name = name
        self.title = name
        self.terms = Terms("yes", "yes" if name == "curated" else "unknown", "https://terms.example/", f"{name} to be credited")

    def collect(self, run: Any) -> None:
        raise AssertionError("this source is not fetched")

    def parse(self, bundle: Any) -> Parsed:
        said = json.loads(bundle.body)
        rows = {table: [_typed(table, record) for record in records] for table, records in said.items()}
        return Parsed(rows, compared=False, may_be_empty=True, shape={"arrays": list(said)}, unmatched_names=[])


def _typed(table: str, record: dict[str, Any]) -> dict[str, Any]:
    kinds = TABLES[table].kinds
    read = {"date": dt.date.fromisoformat, "time": dt.datetime.fromisoformat}
    return {k: read[kinds[k]](v) if kinds.get(k) in read and v is not None else v for k, v in record.items()}


def settings(lake: Path, **more: Any) -> Settings:
    """Settings of a lake, none from a file."""
    return Settings(lake=lake, _env_file=None, **more)  # type: ignore[call-arg]


def tell(
    lake: Path, source: str, at: dt.datetime, rows: dict[str, list[dict[str, Any]]] | None = None, *, outcome: str = "fetched", message: str | None = None
) -> None:
    """Put a page of a source into the lake, or a failed attempt at it."""
    store = Lake(lake)
    store.prepare()
    store.admit("live")
    body = json.dumps(rows or {}, ensure_ascii=False).encode()
    store.record(
        new_capture(
            source=source,
            resource="page",
            scope=PAGES[source],
            set_id=None,
            url=PAGES[source],
            captured_at=at,
            outcome=outcome,
            sha256=store.put(body) if outcome == "fetched" else None,
            bytes=len(body),
            message=message,
        )
    )


def publish(lake: Path, **more: Any) -> None:
    """Take in what the lake holds, build every table, publish. A table that fails is an error of the test."""
    with patch.dict(SOURCES, {name: ToldSource(name) for name in ORIGINS}, clear=True), opened(settings(lake, **more), RefreshOptions(fetches=False)) as run:
        run.build_all()
        assert not run.failed_tables


def fact(source: str, **more: Any) -> dict[str, Any]:
    """A record's columns that say who stands behind it."""
    provenance = {
        "artificial_analysis": "evaluator_measured",
        "inferencex": "evaluator_measured",
        "sglang": "framework_reported",
        "curated": "vendor_reported",
    }[source]
    return {"source": source, "origin": ORIGINS[source], "provenance": provenance, "source_url": PAGES[source], **more}


def result(result_id: str, system: str, value: float, **more: Any) -> dict[str, Any]:
    """An AgentPerf result; agents per MW of DeepSeek V4 Pro (max) at 20 tok/s unless said otherwise."""
    return {
        "result_id": result_id,
        "model": "DeepSeek V4 Pro (max)",
        "system": system,
        "accelerator": system.split()[-1],
        "vendor": "AMD" if "MI" in system else "NVIDIA",
        "slo_p25_tok_s": 20.0,
        "slo_p95_ttft_s": 10.0,
        "metric": "agents_per_mw",
        "value": value,
        "power_basis": "accelerator_measured",
        "verified_by": "Artificial Analysis",
        **fact("artificial_analysis"),
        **more,
    }


def point(point_id: str, accelerator: str, speed: float, total: float, **more: Any) -> dict[str, Any]:
    """An InferenceX agentic point of Muse Spark Open in FP4."""
    return {
        "point_id": point_id,
        "model": "Muse-Spark-Open",
        "accelerator": accelerator,
        "vendor": "AMD" if accelerator.startswith("MI") else "NVIDIA",
        "accelerators": 4,
        "precision": "fp4",
        "framework": "sglang",
        "scenario": "agentic_traces",
        "concurrency": 64,
        "interactivity_tok_s": speed,
        "interactivity_kind": "p90_itl",
        "total_tok_s_gpu": total,
        "cache_hit_kind": "missing",
        "status": "active",
        "measured_on": "2026-10-20",
        **fact("inferencex"),
        **more,
    }


def hour_price(accelerator: str, basis: str, usd: float, **more: Any) -> dict[str, Any]:
    """A price of an accelerator hour."""
    return {
        "item": accelerator,
        "component": "gpu_hour",
        "seller": "SemiAnalysis TCO model",
        "vendor": "AMD" if accelerator.startswith("MI") else "NVIDIA",
        "price_basis": basis,
        "low": usd,
        "high": usd,
        "unit": "usd_gpu_h",
        **fact("inferencex"),
        **more,
    }


def listing(model_id: str, name: str, **more: Any) -> dict[str, Any]:
    """A model listing."""
    return {"model_id": model_id, "slug": name.lower().replace(" ", "-"), "name": name, **fact("artificial_analysis"), **more}


def gate(gate_id: str, model: str, **more: Any) -> dict[str, Any]:
    """An accuracy gate with a placeholder threshold that has not run."""
    return {
        "gate_id": gate_id,
        "model": model,
        "path": "test/registered/amd/accuracy/mi35x/test_model.py",
        "accelerator": "MI35x",
        "vendor": "AMD",
        "metric": "accuracy",
        "threshold": 0.92,
        "operator": ">=",
        "threshold_basis": "placeholder",
        "run_state": "not_run",
        **fact("sglang"),
        **more,
    }
