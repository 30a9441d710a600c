"""A source of the test's own: its pages are JSON lists of price records, written straight into the lake."""

import datetime as dt
import json

from pipelines.lake import Lake, new_capture
from pipelines.sources.base import Incomplete, NoData, Parsed, Terms, Unreadable

SCOPE = "https://prices.example/list"


class FakeSource:
    name = "inferencex"
    title = "A test source"
    parser_version = "1"
    terms = Terms("yes", "yes", "https://prices.example/terms", "Prices Example")
    tables = ("prices", "operating_points")

    def __init__(self, table="prices", **how):
        self.table = table
        self.how = {"compared": False, "vanished": "close", **how}

    def collect(self, run):
        raise AssertionError("this source is not fetched")

    def parse(self, bundle):
        rows = []
        for part in bundle.parts:
            if part.body == b"login":
                raise Unreadable("a sign-in page")
            said = json.loads(part.body)
            if said == "nothing":
                raise NoData("no list of prices")
            if said == "wait":
                raise Incomplete("page 2 is missing")
            if "boom" in said:
                raise KeyError("boom")
            rows += said
        for row in rows:
            for key in ("dated_from", "dated_to"):
                if row.get(key):
                    row[key] = dt.datetime.fromisoformat(row[key])
        covers = frozenset(bundle.parts[0].meta["covers"]) if "covers" in bundle.parts[0].meta else None
        return Parsed({self.table: rows}, covers=covers, fields={self.table: {k: 1.0 for r in rows for k in r}}, **self.how)


def price(item, low, **more):
    return {
        "item": item,
        "component": "gpu_hour",
        "seller": "survey",
        "price_basis": "rental",
        "low": low,
        "high": low,
        "unit": "usd_gpu_h",
        "source": "inferencex",
        "origin": "api",
        "provenance": "evaluator_measured",
        "source_url": SCOPE,
        **more,
    }


def point(point_id, total, **more):
    return {
        "point_id": point_id,
        "model": "Muse-Spark-Open",
        "accelerator": "B300",
        "scenario": "agentic_traces",
        "cache_hit_kind": "missing",
        "status": "active",
        "total_tok_s_gpu": total,
        "source": "inferencex",
        "origin": "api",
        "provenance": "evaluator_measured",
        "source_url": SCOPE,
        **more,
    }


def day(number):
    """A time on the given day of January 2026."""
    return dt.datetime(2026, 1, number, 23)


def put(lake: Lake, at: dt.datetime, said, *, outcome="fetched", scope=SCOPE, set_id=None, url=None, **more):
    """A capture in the lake, as a fetch would leave it."""
    body = said if isinstance(said, bytes) else json.dumps(said).encode()
    sha256 = lake.put(body) if outcome in ("fetched", "not_modified") else None
    capture = new_capture(
        source="inferencex",
        resource="list",
        scope=scope,
        set_id=set_id,
        url=url or scope,
        captured_at=at,
        outcome=outcome,
        sha256=sha256,
        bytes=len(body),
        **more,
    )
    lake.record(capture)
    return capture


def versions(warehouse, columns="item, low, valid_from, valid_to"):
    """Versions of prices, as tuples."""
    return [tuple(r.values()) for r in warehouse.rows(f"SELECT {columns} FROM history.prices ORDER BY item, valid_from, low")]
