"""Marts on version rows put in by hand, through the real views, macros and day views."""

from __future__ import annotations

import datetime as dt
from itertools import count

from pipelines import changes, marts, reader
from pipelines.lake import Lake
from pipelines.publish import publish
from pipelines.settings import load_settings
from pipelines.tables import TABLES
from pipelines.warehouse import Warehouse

FROM = dt.datetime(2026, 10, 20, 23)


def day(text):
    """The hour of a refresh on a day."""
    return dt.datetime.fromisoformat(text) + dt.timedelta(hours=23)


class World:
    """A warehouse with rows of the test's own. `add` puts versions in, `rows` asks the marts built from them."""

    def __init__(self, folder, kind="live"):
        self.lake = Lake(folder)
        self.lake.prepare()
        self.lake.admit(kind)
        self.warehouse = Warehouse(self.lake)
        marts.prepare(self.warehouse)
        self._numbers = count(1)
        self._built = set()

    def close(self):
        self.warehouse.close()

    def add(self, table, *records, **common):
        """Versions of a table; columns not given are NULL, a version holds from 20 October 2026 on."""
        self._built.clear()
        rows = [self._version({**common, **r}) for r in records]
        self.warehouse.insert_versions(TABLES[table], rows)

    def _version(self, record):
        record = dict(record)
        number = next(self._numbers)
        valid_from = record.pop("valid_from", FROM)
        version = {"valid_from": valid_from, "valid_to": None, "date_source": "capture", "changed_after": None, "recorded_at": valid_from}
        where = {"scope": "https://page.example", "snapshot_id": f"snapshot {number}", "ended_by": None, "version_id": f"version {number:05}"}
        version |= {**where, "part": None, "identity": f"identity {number}", "live": True}
        return {"source_url": "https://page.example/fact", "provenance": "evaluator_measured", **version, **record}

    def rows(self, sql):
        """Rows of a query on the tables as of now, as dicts."""
        self.build(marts.reads(sql))
        self.warehouse.con.execute("USE current")
        try:
            return self.warehouse.rows(sql)
        finally:
            self.warehouse.con.execute("USE main")

    def build(self, names):
        """Build the named tables and what they read."""
        for file in needed(names):
            if file.name not in self._built:
                marts.build(self.warehouse, file)
                self._built.add(file.name)

    def publish(self):
        """Build every table and write the published file."""
        changes.prepare(self.warehouse, load_settings())
        self.build(f.name for f in marts.sql_files())
        publish(self.warehouse)

    def as_of(self, on, sql):
        """Rows of a query on the published file as of a day, as dicts."""
        with reader.opened(self.lake.root, on) as con:
            return reader.records(con, sql)


def needed(names):
    """The files of the named tables and of what they read, in the order they are built."""
    found = set()
    left = list(names)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += marts.dependencies()[name]
    return [file for file in marts.in_order() if file.name in found]


def headline(accelerator, value, **more):
    """A throughput per MW that Artificial Analysis publishes for Muse Spark Open."""
    vendor = "AMD" if accelerator.startswith("MI") else "NVIDIA"
    return {
        "result_id": f"{accelerator} throughput {more.get('origin', 'scraped')} {more.get('slo_p25_tok_s', 20)}",
        "model": "Muse Spark Open",
        "system": f"4x {accelerator}",
        "accelerator": accelerator,
        "vendor": vendor,
        "accelerators": 4,
        "slo_p25_tok_s": 20.0,
        "slo_p95_ttft_s": 10.0,
        "metric": "throughput_tok_s_mw",
        "value": value,
        "configured_by": vendor,
        "power_basis": "accelerator_measured",
        "tokens_counted": "input_and_output",
        "source": "artificial_analysis",
        "origin": "scraped",
        **more,
    }


def agents(accelerator, value, **more):
    """Agents per MW for DeepSeek V4 Pro, as Artificial Analysis publishes them."""
    common = {"model": "DeepSeek V4 Pro (max)", "metric": "agents_per_mw", "tokens_counted": None, "result_id": f"{accelerator} agents {value} {more}"}
    return headline(accelerator, value, **{**common, **more})


def cookbook_point(concurrency, speed, total, **more):
    """A GB300 point of Muse Spark Open from SGLang's cookbook."""
    return {
        "point_id": f"cookbook {concurrency}",
        "model": "Muse Spark Open",
        "accelerator": "GB300",
        "vendor": "NVIDIA",
        "framework": "SGLang",
        "scenario": "aa_agentperf",
        "concurrency": concurrency,
        "interactivity_tok_s": speed,
        "interactivity_kind": "given",
        "total_tok_s_gpu": total,
        "cache_hit_kind": "reported",
        "status": "active",
        "flags": [],
        "source": "sglang",
        "origin": "git",
        "provenance": "framework_reported",
        **more,
    }


COOKBOOK = [
    cookbook_point(1, 485.8, 2514.0),
    cookbook_point(16, 208.7, 49646.0),
    cookbook_point(64, 97.1, 114342.0),
    cookbook_point(160, 40.9, 185382.0, output_tok_s_gpu=1237.0, cache_hit_ratio=0.97),
]

GB300_POWER = {
    "accelerator": "GB300",
    "kw": 1.25,
    "kw_high": 1.5,
    "power_basis": "accelerator_measured",
    "source": "curated",
    "origin": "curated",
    "publication": "an article",
}
