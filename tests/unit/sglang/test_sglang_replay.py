"""SGLang as it stood on the days of the replay world, through the real client."""

import contextlib
import datetime as dt
import json

import pytest

from pipelines.collector import SourceCollector
from pipelines.fetch import Fetcher
from pipelines.lake import Lake
from pipelines.settings import load_settings
from pipelines.sources.base import GOOD_OUTCOMES, StopSource
from pipelines.sources.sglang.benchmarks import Place, points
from pipelines.sources.sglang.configs import read_config
from pipelines.sources.sglang.layout import read_layout
from pipelines.sources.sglang.literals import read
from pipelines.sources.sglang.source import SGLang
from pipelines.warehouse import Warehouse
from tests.shared import SHARED, ReplayServer, needs_shared

DAYS = (
    "2026-07-20",
    "2026-08-04",
    "2026-08-10",
    "2026-08-20",
    "2026-08-27",
    "2026-09-01",
    "2026-09-09",
    "2026-09-15",
    "2026-10-08",
    "2026-10-16",
    "2026-10-20",
    "2026-10-22",
    "2026-10-24",
    "2026-11-12",
)


def time_of(day):
    return dt.datetime.fromisoformat(f"{day}T23:00:00")


class Lakeside:
    """A lake refreshed from the replay server."""

    def __init__(self, root, server, monkeypatch):
        for name, value in server.env(root).items():
            monkeypatch.setenv(name, value)
        lake = Lake(root)
        lake.prepare()
        self.warehouse, self.source, self.server = Warehouse(lake), SGLang(), server

    def refresh(self, day):
        self.server.day(day)
        settings = load_settings(None)
        with Fetcher(settings) as fetcher:
            fetcher.start_source("sglang")
            run = SourceCollector(self.source, self.warehouse, fetcher, settings, time_of(day), force=False, progress=lambda items, total, what: iter(items))
            with contextlib.suppress(StopSource):
                self.source.collect(run)
            run.ingest()
        return run.snapshots

    def ask(self, sql):
        return [tuple(r.values()) for r in self.warehouse.rows(sql)]


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    """The days of the world on which the repository changed, one after the other; requests by day."""
    with pytest.MonkeyPatch.context() as monkeypatch, ReplayServer() as server:
        lake, log = Lakeside(tmp_path_factory.mktemp("walk"), server, monkeypatch), {}
        for day in DAYS:
            server.reset()
            lake.snapshots = lake.refresh(day)
            log[day] = server.log()
        lake.log = log
        yield lake
        lake.warehouse.close()


@needs_shared
def test_the_four_muse_spark_open_points_with_every_figure(walked):
    rows = walked.ask(
        "SELECT concurrency, interactivity_tok_s, interactivity_kind, total_tok_s_gpu, output_tok_s_gpu, ttft_s, cache_hit_ratio, tp, ep, accelerators,"
        " kv_offload, scenario"
        " FROM history.operating_points WHERE lower(model) LIKE '%muse%spark%open%' AND status = 'active' AND valid_to IS NULL ORDER BY concurrency"
    )
    assert rows == [
        (1, 485.8, "given", 2514.0, None, 0.1, 0.976, 8, 8, 8, "none", "aa_agentperf"),
        (16, 208.7, "given", 49646.0, None, None, 0.973, 4, 4, 4, "none", "aa_agentperf"),
        (64, 97.1, "given", 114342.0, None, None, 0.97, 4, 4, 4, "none", "aa_agentperf"),
        (160, 40.9, "given", 185382.0, 1237.0, None, 0.968, 4, 4, 4, "hicache", "aa_agentperf"),
    ]


@needs_shared
def test_the_mi355x_stub_is_pending_without_numbers(walked):
    rows = walked.ask(
        "SELECT status, total_tok_s_gpu, interactivity_tok_s, concurrency FROM history.operating_points"
        " WHERE lower(model) LIKE '%muse%spark%open%' AND accelerator = 'MI355X'"
    )
    assert rows == [("pending", None, None, None)]


@needs_shared
def test_the_move_of_the_fourth_of_august_neither_adds_nor_removes_a_row(walked):
    moved = walked.ask("SELECT count(*) FROM history.operating_points WHERE valid_from = '2026-08-04 10:00' OR valid_to = '2026-08-04 10:00'")
    parts = walked.ask("SELECT DISTINCT part LIKE 'docs/%' FROM history.operating_points WHERE valid_from = '2026-07-20 09:00'")
    assert (moved, parts) == ([(0,)], [(True,)])


@needs_shared
def test_the_glm_rows_come_on_the_27th_of_august_and_are_reverted_and_linked(walked):
    rows = walked.ask(
        "SELECT DISTINCT valid_from::DATE::VARCHAR, valid_to::DATE::VARCHAR, pull_request FROM history.operating_points WHERE part LIKE '%glm-5.3-flash%'"
    )
    links = walked.ask("SELECT number, reverts, reverted_by FROM history.pull_requests WHERE valid_to IS NULL AND number IN (36608, 37380) ORDER BY number")
    assert (rows, links) == ([("2026-08-27", "2026-09-01", 36608)], [(36608, None, 37380), (37380, 36608, None)])


@needs_shared
def test_the_claims_of_41020_agree_with_what_was_merged(walked):
    ((claimed,),) = walked.ask("SELECT claimed_points FROM history.pull_requests WHERE number = 41020 AND valid_to IS NULL")
    merged = walked.ask(
        "SELECT concurrency, interactivity_tok_s, total_tok_s_gpu FROM history.operating_points"
        " WHERE pull_request = 41020 AND status = 'active' ORDER BY concurrency"
    )
    assert [(p["concurrency"], p["interactivity_tok_s"], p["total_tok_s_gpu"]) for p in json.loads(claimed)] == merged
    assert walked.ask("SELECT min(valid_from)::DATE::VARCHAR FROM history.operating_points WHERE lower(model) LIKE '%muse%spark%open%'") == [("2026-10-22",)]


@needs_shared
def test_pull_requests_are_told_by_vendor_state_and_topic(walked):
    rows = walked.ask(
        "SELECT number, state, vendor, topics FROM history.pull_requests WHERE valid_to IS NULL AND number IN (33600, 40610, 41020, 41055) ORDER BY number"
    )
    assert rows == [
        (33600, "merged", "unknown", ["cookbook"]),
        (40610, "merged", "AMD", ["gates"]),
        (41020, "merged", "unknown", ["agentic", "cookbook"]),
        (41055, "open", "AMD", ["cookbook"]),
    ]


@needs_shared
def test_gates_keep_threshold_basis_and_run_state_apart_through_their_history(walked):
    def gate(name, metric):
        return walked.ask(
            "SELECT valid_from::DATE::VARCHAR, threshold, threshold_basis, run_state, evidence_value, evidence_run, evidence_stale FROM history.accuracy_gates "
            f"WHERE path LIKE '%{name}%' AND metric = '{metric}' ORDER BY valid_from"
        )

    muse = gate("muse_spark_open", "accuracy")
    assert [(m[0], m[1], m[3], m[4], m[5]) for m in muse] == [("2026-10-16", 0.9, "not_run", None, None), ("2026-11-12", 0.92, "passed", 0.951, "38411223344")]
    assert muse[0][2] in ("other_harness", "placeholder")
    assert [(m[1], m[2], m[4]) for m in gate("muse_spark_open", "accept_length")] == [(2.5, "placeholder", None), (2.9, "measured", 3.1)]
    assert [(m[0], m[1], m[4]) for m in gate("glm53_flash", "accuracy")] == [("2026-08-20", 0.92, None), ("2026-09-09", 0.92, 0.975)]
    assert [(m[0], m[6]) for m in gate("kimi_k3", "accuracy")] == [("2026-08-20", False), ("2026-09-15", True)]
    assert sorted(m[1] for m in gate("test_gpt_oss_eval_mi35x", "accuracy")) == [0.47, 0.79]


@needs_shared
def test_no_raw_file_is_fetched_twice_and_no_day_costs_more_than_sixty_calls(walked):
    files = [e["path"] for log in walked.log.values() for e in log if e["site"] == "raw" and e["status"] == 200]
    assert len(files) == len(set(files))
    assert max(sum(e["site"] == "github" for e in log) for log in walked.log.values()) <= 12
    asked, unconditional = set(), []
    for log in walked.log.values():
        for e in log:
            key = (e["path"], json.dumps(e["query"], sort_keys=True))
            if e["site"] == "github" and key in asked and not e["if_none_match"]:
                unconditional.append(key)
            asked |= {key} if e["site"] == "github" and e["status"] == 200 else set()
    assert not unconditional


@needs_shared
def test_a_backfill_from_the_last_day_gives_the_same_versions(walked, tmp_path, monkeypatch):
    with ReplayServer() as server:
        late = Lakeside(tmp_path, server, monkeypatch)
        late.refresh("2026-11-19")
        settings = load_settings(None)
        with Fetcher(settings) as fetcher:
            fetcher.start_source("sglang")
            run = SourceCollector(
                late.source, late.warehouse, fetcher, settings, time_of("2026-11-20"), force=False, progress=lambda items, total, what: iter(items)
            )
            late.source.backfill(run, dt.date(2026, 6, 1))
            run.ingest()
        for sql in (
            "SELECT point_id, status, valid_from, valid_to, total_tok_s_gpu FROM history.operating_points ORDER BY ALL",
            "SELECT gate_id, threshold, threshold_basis, run_state, evidence, evidence_stale, valid_from, valid_to FROM history.accuracy_gates ORDER BY ALL",
        ):
            assert late.ask(sql) == walked.ask(sql)
        late.warehouse.close()


@needs_shared
@pytest.mark.parametrize("site", ["github", "raw"])
@pytest.mark.parametrize("kind", ["status", "truncate", "garbage", "empty", "login", "reset", "bomb"])
def test_a_fault_is_told_keeps_the_old_rows_and_is_recovered_from(tmp_path, monkeypatch, site, kind):
    with ReplayServer() as server:
        lake = Lakeside(tmp_path, server, monkeypatch)
        lake.refresh("2026-10-09")
        before = lake.ask("SELECT point_id, valid_from FROM history.operating_points ORDER BY ALL")
        server.fault(kind, site=site, status=503)
        snapshots = lake.refresh("2026-10-23")
        assert [s for s in snapshots if s.outcome not in GOOD_OUTCOMES]
        assert set(before) <= set(lake.ask("SELECT point_id, valid_from FROM history.operating_points WHERE valid_to IS NULL"))
        server.reset()
        assert {s.outcome for s in lake.refresh("2026-10-24")} <= set(GOOD_OUTCOMES)
        assert len(lake.ask("SELECT point_id FROM history.operating_points")) == len(before) + 5
        lake.warehouse.close()


@needs_shared
def test_kimi_k3s_real_rows_are_off_on_exactly_the_two_points_that_are_known_to_be():
    layout = read_layout(read((SHARED / "captures/sglang/kimi-k3-benchmarks.jsx").read_bytes()))
    config = read_config(read(b'export const config = { modelName: "Kimi-K3", cells: [ { match: { pdMode: "unified" }, flags: ["--tp-size 8"] } ] };'))
    found = points(layout, config, Place("p", "u", "k", "kimi-k3", dt.datetime(2026, 10, 1), "c")).records
    off = {(r["accelerator"], r["weight_format"], r["speculative_decoding"], r["concurrency"]) for r in found if "arithmetic_off" in r["flags"]}
    assert off == {("B300", "NVFP4", "dspark", 64), ("MI350X", "MXFP4", "dspark", 64)}
    assert sum(r["status"] == "active" for r in found) == 18
    assert {r["synthetic_acceptance"] for r in found if (r["accelerator"], r["speculative_decoding"]) == ("MI350X", "dspark")} == {True}


@needs_shared
@pytest.mark.parametrize("path", sorted((SHARED / "captures/sglang").glob("*.jsx")) or [None], ids=lambda p: p.name if p else "none")
def test_every_real_file_is_read_without_anything_left_over(path):
    module = read(path.read_bytes())
    (literal,) = module.values.values()
    assert not list(literal.raws("file"))
    if "benchmarks" in path.name:
        layout = read_layout(module)
        assert layout.measurements
        assert not layout.unread
