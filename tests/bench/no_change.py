"""A refresh on which nothing changed, against a Dagster job of as many assets that do nothing, and the same requests.

python -m tests.bench.no_change          needs ../shared
"""

from __future__ import annotations

import datetime as dt
import json
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dagster as dg
import requests

from pipelines.assets import all_assets
from pipelines.definitions import run_job
from pipelines.refresh import RefreshOptions
from tests.helpers.lakes import FIELDS
from tests.helpers.told_lake import settings
from tests.memory import status_mb
from tests.shared import ROOT, ReplayServer

BOUND = 1.3
FIRST, DAYS = dt.datetime(2026, 11, 20, 23), 6


def idle_job() -> dg.JobDefinition:
    """As many assets with as many checks and the same dependencies, and nothing in them."""

    def idle(asset: dg.AssetsDefinition) -> dg.AssetsDefinition:
        (key,) = asset.keys
        checks = list(asset.check_specs)

        @dg.asset(name=key.path[-1], deps=list(asset.asset_deps[key]), check_specs=checks)
        def nothing() -> dg.MaterializeResult:
            return dg.MaterializeResult(check_results=[dg.AssetCheckResult(check_name=c.name, passed=True) for c in checks])

        return nothing

    job = dg.define_asset_job("idle", selection=dg.AssetSelection.all(), executor_def=dg.in_process_executor)
    return dg.Definitions(assets=[idle(a) for a in all_assets()], jobs=[job]).resolve_job_def("idle")


def timed(do: Callable[[], Any]) -> dict[str, float]:
    """Seconds on the clock and of the processor."""
    clock, processor = time.monotonic(), time.process_time()
    do()
    return {"clock_s": time.monotonic() - clock, "processor_s": time.process_time() - processor}


def main() -> dict[str, Any]:
    lake = Path(tempfile.mkdtemp(prefix="bench-"))
    shutil.copytree(ROOT / "data_lake" / "curated", lake / "curated")
    with ReplayServer(github_limit=5000) as server:
        server.day(server.days()[-1])
        asked = settings(lake, **{FIELDS[site]: url for site, url in server.urls.items() if site in FIELDS})
        run_job(asked, RefreshOptions(at=FIRST))
        run_job(asked, RefreshOptions(at=FIRST + dt.timedelta(days=1)))
        refreshes, idles = [], []
        for day in range(2, DAYS):
            server.reset()
            refreshes.append(timed(lambda day=day: run_job(asked, RefreshOptions(at=FIRST + dt.timedelta(days=day)))))
            log = server.log()
            idles.append(timed(lambda log=log: _nothing(server.urls, log)))
    told = {
        kind: {what: round(statistics.median(run[what] for run in runs), 2) for what in runs[0]} for kind, runs in (("refresh", refreshes), ("idle", idles))
    }
    ratios = [one["processor_s"] / other["processor_s"] for one, other in zip(refreshes, idles, strict=True)]
    return {**told, "requests": len(log), "ratio": round(statistics.median(ratios), 2), "bound": BOUND, "peak_mb": round(status_mb("VmHWM"))}


def _nothing(urls: dict[str, str], log: list[dict[str, Any]]) -> None:
    with requests.Session() as session, dg.DagsterInstance.ephemeral() as instance:
        for asked in log:
            session.get(urls[asked["site"]] + asked["path"], params=asked["query"], timeout=30)
        idle_job().execute_in_process(run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}, instance=instance)


if __name__ == "__main__":
    print(json.dumps(main()))
