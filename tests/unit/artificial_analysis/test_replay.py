"""The replay world's days, fetched and taken into history as a daily run does, with Artificial Analysis alone."""

import contextlib
import datetime as dt
from pathlib import Path

import pytest

from pipelines.collector import SourceCollector
from pipelines.fetch import Fetcher
from pipelines.lake import Lake
from pipelines.settings import load_settings
from pipelines.sources.artificial_analysis.source import ArtificialAnalysis
from pipelines.sources.base import ROBOTS, StopSource
from pipelines.warehouse import Warehouse
from tests.shared import ReplayServer, needs_shared

DAYS = (
    *("2026-06-12", "2026-06-15", "2026-06-16", "2026-07-06", "2026-07-07", "2026-07-31", "2026-08-01", "2026-08-13", "2026-08-22", "2026-09-30"),
    *("2026-10-10", "2026-10-15", "2026-10-23", "2026-11-05", "2026-11-19"),
)


class Tracker:
    """A lake with a replay server: `run` is one day's run for this source."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, **server):
        self.server = ReplayServer(**server)
        self.patch = patch
        self.lake = Lake(folder)
        self.lake.prepare()
        self.warehouse = Warehouse(self.lake)

    def run(self, day, *, key=""):
        for name, value in {**self.server.env(self.lake.root), "MEGAWATCH_AA_API_KEY": key}.items():
            self.patch.setenv(name, value)
        self.server.day(day)
        settings = load_settings(env_file=None)
        source = ArtificialAnalysis()
        with Fetcher(settings) as fetcher:
            at = dt.datetime.fromisoformat(day) + dt.timedelta(hours=23)
            run = SourceCollector(source, self.warehouse, fetcher, settings, at, force=False, progress=lambda items, *_: iter(items))
            fetcher.start_source(source.name)
            with contextlib.suppress(StopSource):
                source.collect(run)
            run.ingest()
        return {(s.last.resource, s.last.url.removeprefix("https://artificialanalysis.ai")): s for s in run.snapshots}

    def ask(self, sql, *values):
        return self.warehouse.con.execute(sql, values).fetchall()

    def close(self):
        self.warehouse.close()
        self.server.__exit__()


@pytest.fixture(scope="module")
def patch():
    with pytest.MonkeyPatch.context() as made:
        yield made


@pytest.fixture(scope="module")
def walked(tmp_path_factory, patch):
    """The tracker after all days, and the snapshots of each day by resource."""
    tracker = Tracker(tmp_path_factory.mktemp("lake"), patch)
    try:
        yield tracker, {day: {resource: s for (resource, _), s in tracker.run(day).items()} for day in DAYS}
    finally:
        tracker.close()


@pytest.fixture
def tracker(tmp_path, patch):
    """A tracker of its own that has seen a good day."""
    made = Tracker(tmp_path, patch)
    made.run("2026-10-09")
    yield made
    made.close()


def versions(tracker, model, accelerator, metric, tier=20):
    return tracker.ask(
        "SELECT value, configured_by, strftime(valid_from, '%m-%d'), strftime(valid_to, '%m-%d') FROM history.agentperf_results "
        "WHERE model = ? AND accelerator = ? AND metric = ? AND slo_p25_tok_s = ? ORDER BY valid_from",
        *(model, accelerator, metric, tier),
    )


@needs_shared
@pytest.mark.slow
class TestAgentPerfInHistory:
    def test_a_value_is_followed_over_slugs_empty_days_and_renamed_arrays(self, walked):
        tracker, _ = walked
        assert versions(tracker, "DeepSeek V4 Pro (max)", "GB300", "agents_per_mw") == [(61354, "NVIDIA", "06-12", "09-30"), (91500, "NVIDIA", "09-30", None)]

    def test_another_submitter_opens_a_version_of_the_same_result(self, walked):
        tracker, _ = walked
        assert versions(tracker, "Muse Spark Open", "MI355X", "throughput_tok_s_mw") == [
            (70e6, "Artificial Analysis", "10-23", "11-05"),
            (96e6, "AMD", "11-05", None),
        ]

    def test_the_last_days_array_of_another_name_is_read(self, walked):
        tracker, _ = walked
        found = {a: versions(tracker, "Muse Spark Open", a, "agents_per_mw") for a in ("GB300", "B300", "MI355X")}
        assert {a: [v[0] for v in of] for a, of in found.items()} == {"GB300": [88000], "B300": [81000], "MI355X": [52000]}
        assert {v[2] for of in found.values() for v in of} == {"11-19"}

    def test_the_empty_page_is_no_data_and_ends_nothing(self, walked):
        tracker, days = walked
        assert days["2026-10-10"]["datacenter"].outcome == "no_data"
        assert tracker.ask("SELECT count(*) FROM history.agentperf_results WHERE strftime(valid_to, '%m-%d') = '10-10'") == [(0,)]

    def test_only_days_with_news_touch_the_results(self, walked):
        _, days = walked
        assert [d for d in DAYS if days[d]["datacenter"].outcome == "changed"] == ["2026-06-12", "2026-09-30", "2026-10-23", "2026-11-05", "2026-11-19"]


@needs_shared
@pytest.mark.slow
class TestTheLeaderboardInHistory:
    def test_a_renamed_key_opens_no_version_and_is_told(self, walked):
        tracker, days = walked
        assert tracker.ask("SELECT count(*) FROM history.models WHERE strftime(valid_from, '%m-%d') = '07-07'") == [(0,)]
        assert days["2026-07-07"]["leaderboard"].outcome in ("changed", "unchanged")

    @pytest.mark.parametrize(("day", "slug"), [("08-01", "deepseek-v4-flash"), ("08-13", "deepseek-v4-pro")])
    def test_a_slug_that_moves_to_another_model_tears_no_models_history(self, walked, day, slug):
        tracker, _ = walked
        held = tracker.ask("SELECT model_id, strftime(min(valid_from), '%m-%d') FROM history.models WHERE slug = ? GROUP BY 1 ORDER BY min(valid_from)", slug)
        assert len(held) == 2
        assert held[1][1] == day
        gaps = tracker.ask(
            "SELECT count(*) FROM (SELECT valid_from, lag(valid_to) OVER (PARTITION BY model_id ORDER BY valid_from) AS former "
            "FROM history.models WHERE model_id IN (?, ?)) WHERE former IS NOT NULL AND former <> valid_from",
            *(held[0][0], held[1][0]),
        )
        assert gaps == [(0,)]

    def test_on_the_rebase_day_the_index_moves_and_its_version_is_stored(self, walked):
        tracker, _ = walked
        assert tracker.ask("SELECT DISTINCT index_version FROM history.models WHERE strftime(valid_from, '%m-%d') = '06-16'") == [("4.1",)]

    def test_muse_spark_open_is_never_mixed_with_the_closed_line(self, walked):
        tracker, _ = walked
        found = tracker.ask(
            "SELECT slug, intelligence_index, input_usd_mtok FROM history.models WHERE slug IN ('muse-spark-open', 'muse-spark-1-3') ORDER BY valid_from"
        )
        assert {(slug, index) for slug, index, _ in found} == {("muse-spark-open", 39.0), ("muse-spark-1-3", 62.0)}
        assert [price for slug, _, price in found if slug == "muse-spark-open"] == [1.25, 1.0]

    def test_its_page_is_asked_from_the_day_it_is_listed_and_doubles_no_model(self, walked):
        tracker, days = walked
        assert [d for d in DAYS if "model_page/muse-spark-open" in days[d]] == ["2026-10-15", "2026-10-23", "2026-11-05", "2026-11-19"]
        facts = tracker.ask("SELECT value, strftime(valid_from, '%m-%d') FROM history.model_facts WHERE fact = 'blend_7_2_1_usd_mtok' ORDER BY valid_from")
        assert facts[0] == (0.78, "10-15")

    def test_every_other_snapshot_of_the_walk_is_good(self, walked):
        _, days = walked
        bad = {(day, resource, s.outcome) for day, of in days.items() for resource, s in of.items() if s.outcome not in ("changed", "unchanged")}
        assert bad == {("2026-06-12", "leaderboard", "moved"), ("2026-10-10", "datacenter", "no_data"), ("2026-10-15", "datacenter", "no_data")}

    def test_configurations_and_methodology_have_their_versions(self, walked):
        tracker, _ = walked
        by = tracker.ask(
            "SELECT configured_by, strftime(valid_from, '%m-%d'), strftime(valid_to, '%m-%d') FROM history.configurations WHERE system = '4x MI355X' ORDER BY 2"
        )
        assert by == [("Artificial Analysis", "10-23", "11-05"), ("AMD", "11-05", None)]
        assert [v for (v,) in tracker.ask("SELECT strftime(valid_from, '%m-%d') FROM history.methodologies ORDER BY valid_from")] == ["06-12", "10-23"]


PAGES = {
    "leaderboard": "/leaderboards/models",
    "datacenter": "/hardware-inference-stack/datacenter",
    "configurations": "/benchmarks/hardware/configs",
    "methodology": "/methodology/agentperf",
}
LIVE_ROWS = (
    "SELECT (SELECT count(*) FROM history.models WHERE live), (SELECT count(*) FROM history.agentperf_results WHERE live), "
    "(SELECT count(*) FROM history.configurations WHERE live), (SELECT count(*) FROM history.methodologies WHERE live)"
)
KINDS = {
    "status": "unreachable",
    "reset": "unreachable",
    "truncate": "invalid",
    "garbage": "invalid",
    "empty": "invalid",
    "login": "invalid",
    "bomb": "invalid",
}


@needs_shared
@pytest.mark.slow
class TestFaults:
    @pytest.mark.parametrize("kind", KINDS)
    def test_a_fault_of_every_page_is_told_loses_nothing_and_ends_with_the_next_good_day(self, tracker, kind):
        before = tracker.ask(LIVE_ROWS)
        for path in PAGES.values():
            tracker.server.fault(kind, site="aa", match=path, status=503)
        during = {resource: s.outcome for (resource, _), s in tracker.run("2026-10-23").items()}
        told = [during[resource] for resource in PAGES]
        assert told[:3] == [KINDS[kind]] * 3
        assert told[3] in (KINDS[kind], "unreachable")  # a host that failed three pages is not asked for a fourth
        assert tracker.ask(LIVE_ROWS) == before
        tracker.server.reset()
        after = {resource: s.outcome for (resource, _), s in tracker.run("2026-10-24").items()}
        assert {after[resource] for resource in PAGES} == {"changed"}

    def test_a_robots_txt_that_disallows_is_kept_to_and_names_the_ways_on(self, tracker):
        tracker.server.reset()
        tracker.server.robots("User-agent: *\nDisallow: /")
        pages = [s for (resource, _), s in tracker.run("2026-10-23").items() if resource != ROBOTS]
        assert {s.outcome for s in pages} == {"disallowed"}
        assert all("megawatch import" in s.last.message and "API" in s.last.message for s in pages)
        assert [e["path"] for e in tracker.server.log() if e["site"] == "aa"] == ["/robots.txt"]

    def test_a_page_that_has_moved_is_told_and_its_former_address_tried(self, tracker):
        tracker.server.fault("status", site="aa", match="/hardware-inference-stack/datacenter", status=404)
        made = tracker.run("2026-10-23")
        outcomes = {url: s.outcome for (resource, url), s in made.items() if resource == "datacenter"}
        assert outcomes == {"/hardware-inference-stack/datacenter": "moved", "/benchmarks/hardware": "moved"}

    def test_the_data_api_is_a_scope_of_its_own_beside_the_page(self, tracker):
        made = tracker.run("2026-10-23", key="a-key")
        (api,) = [s for (resource, _), s in made.items() if resource == "models_api"]
        assert api.outcome == "changed"
        assert api.rows == 618
        both = tracker.ask("SELECT origin, input_usd_mtok, cached_input_usd_mtok FROM history.models WHERE live AND slug = 'muse-spark-open' ORDER BY origin")
        assert both == [("api", 1.25, 0.15), ("scraped", 1.25, 0.15)]

    def test_an_incomplete_set_of_api_pages_is_no_snapshot(self, tracker):
        tracker.server.fault("status", site="aa", match="/api/v2/language", status=429, retry_after=3600)
        made = tracker.run("2026-10-23", key="a-key")
        assert [s.outcome for (resource, _), s in made.items() if resource == "models_api"] == ["rate_limited"]
        assert tracker.ask("SELECT count(*) FROM history.models WHERE origin = 'api'") == [(0,)]
