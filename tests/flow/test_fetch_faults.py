"""Fetch against every fault kind of the replay server on all four hosts: right outcome, bounded memory and time."""

import json
import os
import subprocess
import sys
import time

import pytest

from pipelines import fetch as fetch_module
from pipelines.fetch import Fetcher
from pipelines.settings import load_settings
from tests.servers import FakeTime
from tests.shared import ROOT, ReplayServer, needs_shared

HEAD = "/repos/sgl-project/sglang/commits"
FAULTS = {
    "status": ("unreachable", 3),
    "redirect": ("moved", 1),
    "truncate": ("invalid", 3),
    "slow": ("unreachable", 1),
    "reset": ("unreachable", 3),
    "garbage": ("fetched", 1),
    "empty": ("invalid", 1),
    "login": ("fetched", 1),
    "bomb": ("invalid", 1),
}
MORE = {"status": {"status": 503}, "redirect": {"location": "https://elsewhere.example/"}, "slow": {"seconds": 1.0}}

pytestmark = needs_shared


@pytest.fixture(scope="module")
def replay():
    with ReplayServer("2026-10-23", github_limit=10_000) as server:
        yield server


@pytest.fixture
def settings(replay, monkeypatch, tmp_path):
    replay.reset()
    for name, value in replay.env(tmp_path).items():
        monkeypatch.setenv(name, value)
    return load_settings(None)


@pytest.fixture
def raw_path(replay, settings):
    """A file at a commit, as the replay world holds it."""
    with Fetcher(settings) as fetcher:
        sha = json.loads(fetcher.fetch("github", HEAD, {"per_page": "1"}).body)[0]["sha"]
        tree = json.loads(fetcher.fetch("github", f"/repos/sgl-project/sglang/git/trees/{sha}", {"recursive": "1"}).body)["tree"]
    replay.reset()
    path = next(entry["path"] for entry in tree if entry["type"] == "blob" and entry["size"] > 100)
    return f"/sgl-project/sglang/{sha}/{path}"


@pytest.fixture
def paths(raw_path):
    return {"aa": "/leaderboards/models", "github": HEAD, "raw": raw_path, "inferencex": "/api/openapi.json"}


@pytest.mark.parametrize("site", ["aa", "github", "raw", "inferencex"])
def test_without_a_fault_every_host_answers(settings, paths, site):
    with Fetcher(settings) as fetcher:
        answer = fetcher.fetch(site, paths[site])
    assert (answer.outcome, answer.status) == ("fetched", 200)
    assert "127.0.0.1" not in repr({**vars(answer), "body": None})
    assert (answer.body[:2] != b"\x1f\x8b") and len(answer.body) > 100


@pytest.mark.parametrize("kind", FAULTS)
@pytest.mark.parametrize("site", ["aa", "github", "raw", "inferencex"])
def test_a_fault_of_a_page_has_its_outcome_and_the_next_run_recovers(replay, settings, paths, monkeypatch, site, kind):
    monkeypatch.setattr(fetch_module, "READ_S", 0.3 if kind == "slow" else 30.0)
    fake = FakeTime()
    replay.fault(kind, site=site, match=paths[site], **MORE.get(kind, {}))
    with Fetcher(settings, sleep=fake.sleep) as fetcher:
        started = time.monotonic()
        answer = fetcher.fetch(site, paths[site])
        seconds = time.monotonic() - started + sum(fake.slept)
    outcome, asked = FAULTS[kind]
    assert (answer.outcome, answer.body is not None) == (outcome, outcome == "fetched")
    assert sum(entry.get("fault") == kind for entry in replay.log()) == asked
    assert (answer.message is None) == (outcome == "fetched")
    assert seconds < 15
    replay.reset()
    with Fetcher(settings) as fetcher:
        assert fetcher.fetch(site, paths[site]).outcome == "fetched"


@pytest.mark.parametrize("kind", ["status", "truncate", "reset", "bomb"])
@pytest.mark.parametrize("site", ["aa", "github", "raw", "inferencex"])
def test_a_host_that_fails_throughout_costs_a_source_far_less_than_its_minute(replay, settings, paths, site, kind):
    fake = FakeTime()
    replay.fault(kind, site=site, status=503)
    with Fetcher(settings, sleep=fake.sleep) as fetcher:
        started = time.monotonic()
        outcomes = {fetcher.fetch(site, paths[site], {"page": str(number)}).outcome for number in range(30)}
        seconds = time.monotonic() - started + sum(fake.slept)
    assert outcomes <= {"unreachable", "invalid"}
    assert len(replay.log()) <= 10
    assert seconds < 30


def test_a_site_that_asks_for_six_hours_of_patience_ends_the_source_at_once(replay, settings):
    fake = FakeTime()
    replay.fault("status", site="inferencex", match="/api", status=503, retry_after=21600)
    with Fetcher(settings, sleep=fake.sleep) as fetcher:
        answers = [fetcher.fetch("inferencex", "/api/openapi.json"), fetcher.fetch("inferencex", "/api/v1/availability")]
    assert [(answer.outcome, answer.stop) for answer in answers] == [("unreachable", True)] * 2
    assert fake.slept == []
    assert [entry["path"] for entry in replay.log()] == ["/robots.txt", "/api/openapi.json"]


def test_a_spent_github_limit_is_seen(monkeypatch, tmp_path):
    with ReplayServer("2026-10-23", github_limit=1) as replay:
        for name, value in replay.env(tmp_path).items():
            monkeypatch.setenv(name, value)
        with Fetcher(load_settings(None)) as fetcher:
            assert fetcher.fetch("github", HEAD).outcome == "fetched"
            answer = fetcher.fetch("github", HEAD, {"page": "2"})
        assert (answer.outcome, answer.status, answer.stop) == ("rate_limited", 403, True)
        monkeypatch.setenv("GITHUB_TOKEN", "ghp_0123456789abcdef")
        with Fetcher(load_settings(None)) as fetcher:
            answer = fetcher.fetch("github", HEAD)
        assert (answer.outcome, answer.authorized) == ("fetched", True)


def test_an_unchanged_listing_is_not_sent_again(settings):
    with Fetcher(settings) as fetcher:
        etag = fetcher.fetch("github", HEAD).etag
        assert fetcher.fetch("github", HEAD, etag=etag).outcome == "not_modified"


def test_pages_robots_txt_disallows_are_not_fetched(replay, settings):
    replay.robots("User-agent: *\nDisallow: /")
    try:
        with Fetcher(settings) as fetcher:
            assert fetcher.fetch("aa", "/leaderboards/models").outcome == "disallowed"
        assert [entry["path"] for entry in replay.log()] == ["/robots.txt"]
    finally:
        replay.robots(None)


MEASURE = """
import json, sys
from tests.memory import status_mb
from pipelines.fetch import Fetcher
from pipelines.settings import load_settings
with Fetcher(load_settings(None), sleep=lambda seconds: None) as fetcher:
    outcomes = [fetcher.fetch(site, path).outcome for site, path in json.loads(sys.argv[1])]
print(json.dumps([outcomes, status_mb('VmHWM')]))
"""


@pytest.mark.parametrize("kind", FAULTS)
def test_no_fault_takes_300_mb_of_memory(replay, settings, paths, tmp_path, kind):
    replay.fault(kind, match="/", **MORE.get(kind, {}))
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, json.dumps(list(paths.items()))],
        cwd=ROOT,
        env={**os.environ, **replay.env(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    outcomes, megabytes = json.loads(done.stdout)
    assert megabytes < 300
    assert "fetched" not in outcomes or kind in ("garbage", "login", "slow")
