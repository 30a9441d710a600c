"""Marts on tables filled by hand: history tables as they are described, one version a row."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import duckdb

from pipelines.tables import TABLES

MARTS = Path(__file__).resolve().parents[2] / "sql" / "marts"
FROM = dt.datetime(2026, 6, 12, 23)


class Tables:
    """An in-memory database with the history tables in `main`, where marts find them."""

    def __init__(self, *names):
        self.con = duckdb.connect()
        for name in names:
            self.con.execute(TABLES[name].ddl("main"))
            if "model" in TABLES[name].names:  # what sql/history adds to them
                self.con.execute(f"ALTER TABLE {name} ADD COLUMN model_key VARCHAR; ALTER TABLE {name} ADD COLUMN model_id VARCHAR")

    def add(self, name, rows):
        """Rows as dicts; columns not given are NULL, the version holds from 12 June 2026."""
        for row in rows:
            row = {"valid_from": FROM, **row}
            self.con.execute(f"INSERT INTO {name} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", list(row.values()))

    def build(self, *marts):
        """Make the mart tables, in this order."""
        for mart in marts:
            self.con.execute(f"CREATE OR REPLACE TABLE {mart} AS {(MARTS / f'{mart}.sql').read_text(encoding='utf-8')}")

    def rows(self, sql, parameters=()):
        """Rows of a query as dicts."""
        result = self.con.execute(sql, list(parameters))
        names = [d[0] for d in result.description]
        return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def point(point_id, speed, total, **more):
    """An agentic point that InferenceX measured."""
    return {
        "point_id": point_id,
        "source": "inferencex",
        "origin": "api",
        "provenance": "evaluator_measured",
        "source_url": "https://inferencex.semianalysis.com/x",
        "model": "Muse-Spark-Open",
        "accelerator": "B300",
        "vendor": "NVIDIA",
        "precision": "fp4",
        "framework": "sglang",
        "speculative_decoding": "mtp",
        "disaggregated": False,
        "scenario": "agentic_traces",
        "interactivity_kind": "p90_itl",
        "synthetic_acceptance": True,
        "interactivity_tok_s": speed,
        "total_tok_s_gpu": total,
        "cache_hit_kind": "missing",
        "status": "active",
        "flags": [],
        "measured_on": dt.date(2026, 10, 20),
        **more,
    }


def price(item, owning=None, rental=None, **more):
    """Prices of an accelerator hour as InferenceX states them."""
    stated = {"owning": owning, "rental": rental}
    common = {
        "component": "gpu_hour",
        "seller": "SemiAnalysis TCO model",
        "unit": "usd_gpu_h",
        "source": "inferencex",
        "origin": "api",
        "provenance": "derived",
    }
    return [{"item": item, "price_basis": b, "low": p, "high": p, "source_url": "https://x", **common, **more} for b, p in stated.items() if p is not None]
