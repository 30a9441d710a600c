"""Published lakes that several tests read: the curated figures alone, and the replay world."""

from __future__ import annotations

import datetime as dt
import shutil
from pathlib import Path

import pytest

from pipelines.refresh import RefreshOptions, opened
from pipelines.sources.registry import SOURCES
from tests.helpers.told_lake import settings
from tests.shared import BASE_SETTINGS, ROOT, ReplayServer

DAYS = ("2026-06-12", "2026-09-08", "2026-09-30", "2026-10-16", "2026-10-20", "2026-10-22", "2026-10-23", "2026-11-05", "2026-11-12", "2026-11-19")
FIELDS = {"aa": "aa_url", "github": "github_api_url", "raw": "github_raw_url", "inferencex": "inferencex_url"}


def _with_curated_figures(lake: Path) -> Path:
    shutil.copytree(ROOT / "data_lake" / "curated", lake / "curated")
    return lake


def refresh(lake: Path, at: dt.datetime, *sources: str, build: bool = True, **urls: str) -> None:
    """One run over a lake, without Dagster."""
    with opened(settings(lake, **urls), RefreshOptions(sources, at)) as run:
        for source in SOURCES.values():
            run.run_source(source)
        if build:
            run.build_all()
            assert not run.failed_tables


@pytest.fixture(scope="session")
def curated_lake(tmp_path_factory):
    """A live lake that holds the curated figures as of 24 October 2026 and nothing else."""
    lake = _with_curated_figures(tmp_path_factory.mktemp("curated") / "lake")
    refresh(lake, dt.datetime(2026, 10, 24, 23), "curated")
    return lake


@pytest.fixture(scope="session")
def world_lake(tmp_path_factory):
    """A replay lake that was led through the days of the replay world."""
    return walk_the_world(tmp_path_factory.mktemp("world") / "lake")


def walk_the_world(lake: Path) -> Path:
    """Lead a new lake through the days of the replay world; needs the shared material."""
    assert set(FIELDS) == set(BASE_SETTINGS)
    _with_curated_figures(lake)
    with ReplayServer(DAYS[0], github_limit=1000) as server:
        urls = {FIELDS[site]: url for site, url in server.urls.items() if site in FIELDS}
        for day in DAYS:
            server.day(day)
            refresh(lake, dt.datetime.fromisoformat(f"{day}T23:00:00"), build=day in (DAYS[0], DAYS[-1]), **urls)
    return lake
