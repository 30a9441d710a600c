"""An InferenceX site in memory, asked through the real collector: rows come and go as a test says."""

import contextlib
import datetime as dt
import json
from urllib.parse import urlencode

from pipelines.collector import SourceCollector
from pipelines.exchange import Answer
from pipelines.ingest import ingest
from pipelines.lake import Lake
from pipelines.refresh import no_progress
from pipelines.settings import Settings
from pipelines.sources.base import StopSource
from pipelines.sources.inferencex.source import INFERENCEX
from pipelines.warehouse import Warehouse
from tests.unit.inferencex.by_hand import MODEL, SITE

LINE = ("hardware", "framework", "model", "precision", "spec_method", "disagg", "isl", "osl", "benchmark_type")
STABLE = ("availability", "benchmarks/history", "workflow-info", "evaluations", "views/options")


class FakeSite:
    """Rows, models and runs; the latest answer holds the newest day of each line."""

    def __init__(self, *rows):
        self.rows = list(rows)
        self.models = {MODEL: ["ex9"]}
        self.paths = {f"/api/v1/{name}" for name in STABLE}
        self.runs = []
        self.aggregates = {}
        self.failing = set()
        self.garbling = set()
        self.hidden = []
        self.stops_at = None
        self.log = []
        self.robots_answers = {}

    def progress(self):
        pass

    def public_url(self, site, path, params=None):
        return SITE + path + (f"?{urlencode(sorted(params.items()))}" if params else "")

    def fetch(self, site, path, params=None, headers=None, etag=None, last_modified=None):
        assert site == "inferencex"
        params = dict(params or {})
        self.log.append((path.removeprefix("/api/v1/"), params))
        url = self.public_url(site, path, params)
        if self.stops_at and self.stops_at in url:
            return Answer("unreachable", url, "out of time", stop=True)
        if any(part in url for part in self.failing):
            return Answer("unreachable", url, "HTTP 503", status=503)
        if any(part in url for part in self.garbling):
            return Answer("fetched", url, status=200, body=b"\x8fno JSON")
        return Answer("fetched", url, status=200, body=json.dumps(self.answer(path, params)).encode())

    def answer(self, path, params):
        match path.removeprefix("/api/").removeprefix("v1/"):
            case "openapi.json":
                model = {"name": "model", "schema": {"enum": sorted(self.models)}}
                return {"paths": {**{p: {} for p in self.paths}, "/api/v1/benchmarks": {"get": {"parameters": [model]}}}}
            case "views/options":
                models = [{"name": n, "dbKeys": keys} for n, keys in self.models.items()]
                return {"models": models, "hardware": [{"key": "b300", "costPerHour": {"h": 2.26, "r": 4.25}}]}
            case "availability":
                keys = (*LINE, "date")
                return list({json.dumps(a): a for r in self.rows if (a := {k: r.get(k) for k in keys})}.values()) or [{"model": "other"}]
            case "benchmarks":
                return self.benchmarks(self.of(params["model"]), params)
            case "benchmarks/history":
                rows = self.of(params["model"])
                if params.get("benchmarkType"):
                    return [r for r in rows if r.get("benchmark_type") == "agentic_traces"]
                return [r for r in rows if (str(r["isl"]), str(r["osl"])) == (params["isl"], params["osl"])]
            case "workflow-info":
                return {"runs": [r for r in self.runs if r["date"] == params["date"]], "changelogs": [], "configs": []}
            case "evaluations":
                return [{"model": "ex9", "hardware": "b300", "task": "gsm8k", "date": "2026-06-01", "metrics": {"score": 0.9}}]
            case "agentic-aggregates":
                return {i: self.aggregates[i] for i in params["ids"].split(",") if i in self.aggregates}
        raise AssertionError(path)

    def of(self, model):
        return [r for r in self.rows if r["model"] in self.models[model]]

    def benchmarks(self, rows, params):
        if params.get("exact"):
            return [r for r in rows if r["date"] == params["date"]]
        newest = {}
        for row in rows:
            newest[self.line(row)] = max(newest.get(self.line(row), ""), row["date"])
        return [r for r in rows if r["date"] == newest[self.line(r)] and r not in self.hidden]

    @staticmethod
    def line(row):
        return json.dumps([row.get(k) for k in LINE])

    def asked(self, *, path=None, **params):
        """Requests so far to a path with these parameters."""
        return [(p, q) for p, q in self.log if path in (None, p) and params.items() <= q.items()]


class Days:
    """A lake that is refreshed day by day from a site."""

    def __init__(self, folder, site):
        self.site = site
        self.lake = Lake(folder)
        self.lake.prepare()
        self.warehouse = Warehouse(self.lake)
        self.settings = Settings(lake=folder)

    def run(self, day, collect=None, hour=23):
        """Collect (or backfill) and ingest; the snapshots made."""
        at = dt.datetime.fromisoformat(day).replace(hour=hour)
        self.site.log.clear()
        run = SourceCollector(INFERENCEX, self.warehouse, self.site, self.settings, at, force=False, progress=no_progress)
        with contextlib.suppress(StopSource):
            (collect or INFERENCEX.collect)(run)
        run.ingest()
        return run.snapshots

    def backfill(self, day, hour=23):
        return self.run(day, INFERENCEX.backfill, hour)

    def now(self, columns="concurrency, status"):
        """Points as they are now, in order of the columns."""
        rows = self.warehouse.rows(f"SELECT {columns} FROM history.operating_points WHERE valid_to IS NULL ORDER BY ALL")
        return [tuple(r.values()) for r in rows]

    def as_of(self, day, columns="concurrency, status"):
        sql = f"SELECT {columns} FROM history.operating_points WHERE valid_from <= ? AND (valid_to IS NULL OR valid_to > ?) ORDER BY ALL"
        at = dt.datetime.fromisoformat(day).replace(hour=23, minute=59)
        return [tuple(r.values()) for r in self.warehouse.rows(sql, [at, at])]

    def versions(self):
        return self.warehouse.count("history.operating_points")

    def outcomes(self, resource="benchmarks"):
        sql = "SELECT outcome FROM history.snapshots WHERE resource = ? ORDER BY captured_at, rowid"
        return [r["outcome"] for r in self.warehouse.rows(sql, [resource])]

    def everything(self):
        tables = ("operating_points", "prices", "evaluations", "snapshots")
        return {t: sorted(map(str, self.warehouse.rows(f"SELECT * FROM history.{t}"))) for t in tables}

    def rebuilt(self, folder):
        """Everything again, read from the lake alone."""
        again = Days.__new__(Days)
        again.lake, again.warehouse = self.lake, Warehouse(self.lake, folder / "again.duckdb")
        ingest(again.warehouse, INFERENCEX)
        found = again.everything()
        again.warehouse.close()
        return found
