"""A refresh as a user starts it: with no source in reach, twice, two at once, interrupted, and killed at any moment."""

import random
import re
import shutil
import signal
import time

import pytest

from pipelines import reader
from pipelines.lake import Lake, from_json
from tests.helpers.process import run, start
from tests.shared import ROOT, ReplayServer, needs_shared

# These gain from a refresh that finds nothing new: each attempt is a snapshot, and one watch waits for sources that fail.
TELL_OF_ATTEMPTS = ("snapshots", "source_health", "about", "table_status", "watches")
ROWS = "select count(*) as n, sum(hash(to_json(t)::varchar)::hugeint)::varchar as hash from (select columns(lambda c: c not in ({})) from {}) t"


@pytest.fixture(scope="module")
def refreshed(tmp_path_factory):
    """A lake refreshed once with no source in reach, and what the refresh said."""
    lake = tmp_path_factory.mktemp("refreshed") / "lake"
    shutil.copytree(ROOT / "data_lake/curated", lake / "curated")
    return lake, run(lake, "refresh")


@pytest.fixture
def lake(tmp_path, refreshed):
    """A copy of that lake."""
    return shutil.copytree(refreshed[0], tmp_path / "lake")


def ask(lake, query):
    """Rows of a query on the published file."""
    with reader.opened(lake) as con:
        return reader.records(con, query)


def tables(lake):
    return [r["t"] for r in ask(lake, "select table_name as t from duckdb_tables() where schema_name = 'main' order by 1")]


def content(lake, without=(), columns=()):
    """Rows and hash of every published table, but for some tables and columns."""
    names = [t for t in tables(lake) if t not in without]
    left_out = ", ".join(f"'{c}'" for c in ("", *columns))
    union = " union all ".join(f"select '{t}' as t, n, hash from ({ROWS.format(left_out, t)})" for t in names)
    return {r["t"]: (r["n"], r["hash"]) for r in ask(lake, union)}


def test_with_no_source_in_reach_the_curated_figures_are_published_and_every_source_is_told(refreshed):
    lake, said = refreshed
    outcomes = dict(line.split()[:2] for line in said.stdout.splitlines()[1:5])
    assert outcomes == {"artificial_analysis": "unreachable", "sglang": "unreachable", "inferencex": "unreachable", "curated": "changed"}
    for source in ("artificial_analysis", "sglang", "inferencex"):
        assert re.search(rf"^{source}: .*unreachable\. https://", said.stdout, re.MULTILINE)
    assert said.stderr == ""
    assert ask(lake, "select count(*) > 0 as some from agentperf_results") == [{"some": True}]
    assert {r["source"] for r in ask(lake, "select source from source_health where freshness = 'never'")} == {"artificial_analysis", "sglang", "inferencex"}


def test_what_the_article_says_of_its_headline_comes_out(refreshed):
    """1,237 of 185,382 tok/s per GPU are generated; at 97 % hits (96.8 to 97.6) the rest is mostly cached."""
    rows = ask(refreshed[0], "select * from token_split where concurrency = 160")
    (split,) = [r for r in rows if r["total_tok_s_gpu"] == 185_382]
    assert split["output_share"] == pytest.approx(1237 / 185382, rel=1e-12)
    assert split["cached_input_share"] == pytest.approx((185382 - 1237) / 185382 * 0.97, rel=1e-12)
    assert round(split["cached_input_share"], 4) == 0.9635
    assert round(split["uncached_input_share"], 4) == 0.0298
    assert split["cached_input_share_low"] == pytest.approx(184145 / 185382 * 0.968, rel=1e-12)
    assert split["cached_input_share_high"] == pytest.approx(184145 / 185382 * 0.976, rel=1e-12)
    others = ask(refreshed[0], "select output_share, cached_input_share, uncached_input_share from token_split where concurrency = 64")
    assert {tuple(r.values()) for r in others} == {(None, None, None)}


def test_a_second_refresh_adds_nothing_and_a_rebuild_gives_the_same_rows(lake):
    before = content(lake, TELL_OF_ATTEMPTS)
    run(lake, "refresh")
    assert content(lake, TELL_OF_ATTEMPTS) == before
    after = content(lake)
    run(lake, "rebuild")
    assert content(lake) == after


def test_of_two_refreshes_at_once_one_runs_and_the_other_says_so_or_waits(lake):
    both = [start(lake, "refresh"), start(lake, "refresh")]
    said = [p.communicate(timeout=300) for p in both]
    codes = [p.returncode for p in both]
    assert sorted(codes) == [0, 5], said
    assert "Another run holds the lake" in said[codes.index(5)][1]
    both = [start(lake, "refresh", "--wait", "300"), start(lake, "refresh", "--wait", "300")]
    said = [p.communicate(timeout=300) for p in both]
    assert [p.returncode for p in both] == [0, 0], said


def test_nothing_of_the_curated_figures_is_told_as_news(refreshed):
    assert ask(refreshed[0], "select * from change_events") == []


def log_of(lake):
    lines = [line for path in sorted(Lake(lake).log.glob("*.jsonl")) for line in path.read_bytes().splitlines() if line.strip()]
    return [from_json(line) for line in lines]


def assert_sound(lake, before):
    """Every capture made before is still there and readable, and a refresh ends well on what the killed run left."""
    kept = [c for c in log_of(lake) if c is not None]
    assert {c.capture_id for c in before} <= {c.capture_id for c in kept}
    for capture in kept:
        if capture.sha256:
            Lake(lake).get(capture.sha256)


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "stop"])
def test_an_interrupted_refresh_ends_soon_and_leaves_the_lake_free(lake, how):
    before = log_of(lake)
    process = start(lake, "refresh")
    while len(log_of(lake)) == len(before):
        assert process.poll() is None
        time.sleep(0.1)
    process.send_signal(how)
    out, err = process.communicate(timeout=30)
    assert process.returncode != 0, out
    assert "Traceback" not in err
    assert_sound(lake, before)
    run(lake, "refresh")


@pytest.mark.slow
def test_a_refresh_killed_at_any_moment_loses_nothing(tmp_path):
    """On a new lake, so that every stage is met: each run goes on where the killed ones left it."""
    lake, chance = tmp_path / "lake", random.Random(2026)
    shutil.copytree(ROOT / "data_lake/curated", lake / "curated")
    started = time.monotonic()
    run(tmp_path / "whole" / "lake", "refresh", "--source", "curated")
    whole = time.monotonic() - started
    for _ in range(5):
        before = log_of(lake)
        process = start(lake, "refresh", "--source", "curated")
        time.sleep(chance.uniform(0.2, 1.0) * whole)
        process.kill()
        process.communicate()
        assert_sound(lake, before)
        if (lake / "published/tracker.duckdb").exists():
            ask(lake, "select count(*) as n from prices")
    run(lake, "refresh", "--source", "curated")
    undisturbed = tmp_path / "undisturbed" / "lake"
    shutil.copytree(ROOT / "data_lake/curated", undisturbed / "curated")
    run(undisturbed, "refresh", "--source", "curated")
    values = "select metric, model, system, value from agentperf_results order by all"
    assert ask(lake, values) == ask(undisturbed, values)
    after = content(lake)
    run(lake, "rebuild")
    assert content(lake) == after


@pytest.mark.slow
@needs_shared
def test_a_refresh_killed_while_sources_answer_loses_nothing(tmp_path):
    """Killed again and again on one day of the replay, then let run: the tables equal those of a lake left alone.

    Pages of one content come in other bytes each time, so that ids of snapshots differ; and a page whose answer the kill
    took is asked again.
    """
    day, chance = "2026-10-23", random.Random(20261023)
    lake, undisturbed = tmp_path / "lake", tmp_path / "undisturbed" / "lake"
    with ReplayServer(day, github_limit=10000) as server:
        settings = {name: value for name, value in server.env(lake).items() if name != "MEGAWATCH_LAKE"}
        started = time.monotonic()
        run(undisturbed, "refresh", "--at", f"{day}T23:00:00Z", **settings)
        whole = time.monotonic() - started
        for _ in range(3):
            before = log_of(lake)
            process = start(lake, "refresh", "--at", f"{day}T23:00:00Z", **settings)
            time.sleep(chance.uniform(0.2, 1.0) * whole)
            process.kill()
            process.communicate()
            assert_sound(lake, before)
        run(lake, "refresh", "--at", f"{day}T23:00:00Z", **settings)
    assert content(lake, TELL_OF_ATTEMPTS, ["snapshot_id"]) == content(undisturbed, TELL_OF_ATTEMPTS, ["snapshot_id"])
