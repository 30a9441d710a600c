"""Change events: what an analyst is told, and what is kept from posing as news."""

import datetime as dt
import json

import pytest

from pipelines import changes, marts
from pipelines.ingest import ingest
from pipelines.lake import Lake, new_capture
from pipelines.settings import Settings
from pipelines.sources.base import Parsed
from pipelines.warehouse import Warehouse
from tests.helpers.fake_source import point

PAGE = "https://artificialanalysis.ai/page"


class OneTable:
    """A source whose pages are JSON lists of records of one table."""

    title = "A test source"
    parser_version = "1"
    terms = None

    def __init__(self, name, table):
        self.name, self.table, self.tables = name, table, (table,)

    def parse(self, bundle):
        rows = json.loads(bundle.body)
        for row in rows:
            if row.get("created_at"):
                row["created_at"] = dt.datetime.fromisoformat(row["created_at"])
        return Parsed({self.table: rows}, compared=False, may_be_empty=True)


class Story:
    """Days of one source, told in order; `events` are those detected so far."""

    def __init__(self, root, source, watched=("muse-spark-open",)):
        self.lake = Lake(root)
        self.lake.prepare()
        self.warehouse = Warehouse(self.lake)
        self.source = source
        marts.prepare(self.warehouse)
        changes.prepare(self.warehouse, Settings(watched_models=watched, _env_file=None))

    def day(self, number, rows, url=PAGE, hour=23):
        at = dt.datetime(2026, 10, number, hour)
        sha256 = self.lake.put(json.dumps(rows).encode())
        capture = new_capture(
            source=self.source.name, resource="page", scope=url, set_id=None, url=url, captured_at=at, outcome="fetched", sha256=sha256, bytes=1
        )
        self.lake.record(capture)
        ingest(self.warehouse, self.source)
        changes.derive(self.warehouse)

    def events(self, columns="kind, severity, summary", where="kind NOT IN ('source_fields_changed')"):
        rows = self.warehouse.rows(f"SELECT {columns} FROM history.change_events WHERE {where} ORDER BY detected_at, event_id")
        return [tuple(r.values()) for r in rows]


def result(value, **more):
    return {
        "result_id": more.get("system", "MI355X") + more.get("metric", "throughput_tok_s_mw"),
        "model": "Muse Spark Open",
        "system": "MI355X",
        "accelerator": "MI355X",
        "vendor": "AMD",
        "metric": "throughput_tok_s_mw",
        "value": value,
        "configured_by": "Artificial Analysis",
        "source": "artificial_analysis",
        "origin": "scraped",
        "provenance": "evaluator_measured",
        "source_url": PAGE,
        **more,
    }


def listing(model_id="m1", **more):
    return {
        "model_id": model_id,
        "slug": "muse-spark-open",
        "name": "Muse Spark Open",
        "intelligence_index": 39.0,
        "input_usd_mtok": 1.25,
        "output_usd_mtok": 4.25,
        "output_tok_s": 142.9,
        "source": "artificial_analysis",
        "origin": "scraped",
        "provenance": "evaluator_measured",
        "source_url": PAGE,
        **more,
    }


@pytest.fixture
def agentperf(tmp_path):
    story = Story(tmp_path, OneTable("artificial_analysis", "agentperf_results"))
    story.day(1, [result(1e6, system="H200", accelerator="H200", vendor="NVIDIA")])
    yield story
    story.warehouse.close()


@pytest.fixture
def leaderboard(tmp_path):
    story = Story(tmp_path, OneTable("artificial_analysis", "models"))
    yield story
    story.warehouse.close()


OLD = result(1e6, system="H200", accelerator="H200", vendor="NVIDIA")


def test_the_first_look_at_a_page_is_a_start_and_no_news(agentperf):
    assert agentperf.events() == []


def test_a_new_entry_is_a_headline_with_its_figure(agentperf):
    agentperf.day(2, [OLD, result(70e6)])
    assert agentperf.events() == [
        ("entry_added", "headline", "New on AA-AgentPerf: Muse Spark Open on MI355X: 70 M tok/s per MW, configured by Artificial Analysis")
    ]


def test_an_entry_with_several_metrics_is_one_event(agentperf):
    agentperf.day(2, [OLD, result(70e6), result(52000, metric="agents_per_mw")])
    assert [e[0] for e in agentperf.events()] == ["entry_added"]
    assert agentperf.events("field, co_changed") == [("agents_per_mw", ["throughput_tok_s_mw 70 M"])]


def test_a_happening_that_two_rows_tell_is_one_event_and_never_without_words(agentperf, tmp_path, monkeypatch):
    told = tmp_path / "told.sql"
    told.write_text(
        "SELECT 'price_changed' AS kind, 'routine' AS severity, 'inferencex' AS source, 'B300' AS entity, NULL AS model, 'b300' AS key, 'owning' AS field, "
        "NULL AS old_value, '2.3' AS new_value, [] AS co_changed, TIMESTAMP '2026-10-02' AS happened_at, TIMESTAMP '2026-10-02' AS detected_at, "
        "NULL::VARCHAR AS summary FROM range(2)"
    )
    monkeypatch.setattr(changes, "event_files", lambda: [told])
    agentperf.day(2, [OLD])
    assert agentperf.events("summary") == [("price changed: B300: 2.3",)]


def test_a_change_of_hands_with_its_value_is_one_event_in_one_sentence(agentperf):
    agentperf.day(2, [OLD, result(70e6)])
    agentperf.day(5, [OLD, result(96e6, configured_by="AMD")])
    assert agentperf.events()[1] == (
        "configured_by_changed",
        "headline",
        "MI355X on Muse Spark Open is now configured by AMD instead of Artificial Analysis; 70 M → 96 M tok/s per MW (+37 %)",
    )
    assert len(agentperf.events()) == 2
    assert agentperf.events("changed_after, detected_at")[1] == (dt.datetime(2026, 10, 2, 23), dt.datetime(2026, 10, 5, 23))


def test_a_metric_added_to_a_known_entry_is_published_not_an_entry(agentperf):
    agentperf.day(2, [OLD, result(70e6)])
    agentperf.day(3, [OLD, result(70e6), result(52000, metric="agents_per_mw")])
    assert agentperf.events()[1][:2] == ("metric_published", "headline")
    assert "52,000 agents per MW" in agentperf.events()[1][2]


def test_a_rounded_value_is_no_headline(agentperf):
    agentperf.day(2, [OLD, result(61354.0, metric="agents_per_mw")])
    agentperf.day(3, [OLD, result(61355.0, metric="agents_per_mw")])
    assert [e[1] for e in agentperf.events()] == ["headline", "routine"]


def test_a_vanished_value_is_notable_and_its_return_is_no_headline(agentperf):
    agentperf.day(2, [OLD, result(70e6)])
    agentperf.day(3, [OLD])
    agentperf.day(4, [OLD, result(70e6)])
    assert [e[:2] for e in agentperf.events()] == [("entry_added", "headline"), ("entry_removed", "notable"), ("entry_returned", "notable")]


def test_a_new_metric_that_comes_with_a_returning_one_is_still_a_headline(agentperf):
    agentperf.day(2, [OLD, result(52000, metric="agents_per_mw")])
    agentperf.day(3, [OLD])
    agentperf.day(4, [OLD, result(52000, metric="agents_per_mw"), result(70e6)])
    assert agentperf.events("kind, severity, field, co_changed")[-1] == ("metric_published", "headline", "throughput_tok_s_mw", ["agents_per_mw 52,000"])


def test_what_left_with_others_still_there_keeps_its_kind_when_the_others_leave_too(agentperf):
    days = [[OLD, result(70e6), result(52000, metric="agents_per_mw")], [OLD, result(70e6)], [OLD]]
    for number, rows in enumerate(days, start=2):
        agentperf.day(number, rows)
    told = agentperf.events("event_id, kind")
    assert [kind for _, kind in told] == ["entry_added", "value_removed", "entry_removed"]
    agentperf.warehouse.con.execute("INSERT INTO history.events_due VALUES (TIMESTAMP '2026-10-01')")
    changes.derive(agentperf.warehouse)
    assert agentperf.events("event_id, kind") == told


def test_metrics_that_leave_together_are_all_named(agentperf):
    agentperf.day(2, [OLD, result(70e6), result(52000, metric="agents_per_mw")])
    agentperf.day(3, [OLD])
    assert agentperf.events("kind, field, co_changed")[-1] == ("entry_removed", "agents_per_mw", ["throughput_tok_s_mw 70 M"])


def test_a_figure_corrected_or_taken_out_by_hand_is_no_news(tmp_path):
    story = Story(tmp_path, OneTable("curated", "agentperf_results"))
    by_hand = {"source": "curated", "origin": "curated"}
    for number, rows in enumerate(([result(70e6, **by_hand)], [result(71e6, configured_by="AMD", **by_hand)], []), start=1):
        story.day(number, rows)
    assert story.events() == []
    story.warehouse.close()


def test_a_price_that_is_only_rounded_does_not_hide_the_one_that_fell(leaderboard):
    leaderboard.day(1, [listing()])
    leaderboard.day(2, [listing(input_usd_mtok=1.2501, output_usd_mtok=2.0)])
    assert leaderboard.events("kind, field, co_changed", "severity = 'headline'") == [("price_changed", "output_usd_mtok", [])]


def test_first_results_stay_provisional_until_their_own_answer_is_good_again(tmp_path):
    story = Story(tmp_path, OneTable("inferencex", "operating_points"))
    old = point("a", 100.0, accelerator="B300", source_url=PAGE)
    new = point("b", 90.0, accelerator="MI355X", source_url=PAGE)
    story.day(1, [old])
    story.day(2, [old, new])
    (history,) = [f for f in marts.sql_files() if f.name == changes.TABLE]
    seen = []
    for number, url in ((3, f"{PAGE}/robots.txt"), (4, PAGE)):
        story.day(number, [old, new], url)
        marts.build(story.warehouse, history)
        seen += [r["provisional"] for r in story.warehouse.rows("SELECT provisional FROM main.change_events WHERE kind = 'first_results'")]
    assert seen == [True, False]
    story.warehouse.close()


def test_a_watched_models_listing_and_price_cut_are_headlines_an_unwatched_ones_routine(leaderboard):
    other = [listing(f"o{n}", slug=f"other-{n}", name=f"Other {n}") for n in range(40)]
    leaderboard.day(1, other)
    leaderboard.day(2, [*other, listing(), listing("x", slug="muse-spark-1-3", name="Muse Spark 1.3")])
    cut = [{**other[0], "output_usd_mtok": 4.0}, *other[1:]]
    leaderboard.day(3, [*cut, listing(input_usd_mtok=1.0), listing("x", slug="muse-spark-1-3", name="Muse Spark 1.3")])
    assert [e[:2] for e in leaderboard.events(where="severity = 'headline'")] == [("entry_added", "headline"), ("price_changed", "headline")]
    assert leaderboard.events(where="severity = 'headline'")[1][2] == "Muse Spark Open's input price falls from $1.25 to $1.00 per million tokens (−20 %)"
    assert len(leaderboard.events(where="severity = 'routine'")) == 2


def test_speed_jitter_is_not_news(leaderboard):
    leaderboard.day(1, [listing()])
    leaderboard.day(2, [listing(output_tok_s=150.0, ttft_s=0.8)])
    assert leaderboard.events() == []


def test_a_rebase_is_one_event_and_the_single_moves_are_none(leaderboard):
    models = [listing(f"o{n}", slug=f"other-{n}", name=f"Other {n}") for n in range(40)]
    leaderboard.day(1, models)
    leaderboard.day(2, [{**m, "intelligence_index": 33.0} for m in models])
    assert [e[:2] for e in leaderboard.events()] == [("index_rebase", "notable")]


def test_one_models_new_index_is_routine(leaderboard):
    models = [listing(f"o{n}", slug=f"other-{n}", name=f"Other {n}") for n in range(40)]
    leaderboard.day(1, models)
    leaderboard.day(2, [{**models[0], "intelligence_index": 41.0}, *models[1:]])
    assert [e[:2] for e in leaderboard.events()] == [("value_changed", "routine")]


def test_a_mass_repricing_is_one_notable_event(leaderboard):
    models = [listing(f"o{n}", slug=f"other-{n}", name=f"Other {n}") for n in range(40)]
    leaderboard.day(1, models)
    leaderboard.day(2, [{**m, "input_usd_mtok": 1.5} if n < 5 else m for n, m in enumerate(models)])
    assert [e[:2] for e in leaderboard.events()] == [("price_changed", "notable")]


def test_a_price_that_goes_missing_and_returns_is_no_cut(leaderboard):
    other = [listing(f"o{n}", slug=f"other-{n}", name=f"Other {n}") for n in range(40)]
    leaderboard.day(1, [*other, listing()])
    leaderboard.day(2, [*other, listing(input_usd_mtok=None)])
    leaderboard.day(3, [*other, listing()])
    assert [e[:2] for e in leaderboard.events()] == [("price_missing", "routine"), ("price_returned", "routine")]


def test_a_repointed_slug_is_told_by_the_ids(leaderboard):
    leaderboard.day(1, [listing("old", slug="deepseek-v4-pro", name="DeepSeek V4 Pro")])
    leaderboard.day(
        2, [listing("old", slug="deepseek-v4-pro-0424", name="DeepSeek V4 Pro"), listing("new", slug="deepseek-v4-pro", name="DeepSeek V4 Pro 0813")]
    )
    kinds = [e[0] for e in leaderboard.events()]
    assert sorted(kinds) == ["entry_added", "renamed", "slug_repointed"]


def test_events_keep_their_ids_when_derived_anew_in_another_order(tmp_path):
    days = {1: [OLD], 2: [OLD, result(70e6)], 5: [OLD, result(96e6, configured_by="AMD")]}
    ids = []
    for order in ((1, 2, 5), (5, 1, 2)):
        story = Story(tmp_path / str(order[0]), OneTable("artificial_analysis", "agentperf_results"))
        for number in order:
            story.day(number, days[number])
        ids.append(story.events("event_id, kind, detected_at"))
        story.warehouse.close()
    assert ids[0] == ids[1]
    assert len(ids[0]) == 2


def test_when_fields_changed_after_is_the_same_whatever_else_was_taken_at_that_time(tmp_path):
    story = Story(tmp_path, OneTable("artificial_analysis", "agentperf_results"))
    for number in (1, 2):
        story.day(number, [OLD])
    at = dt.datetime(2026, 10, 2, 23)
    warning = json.dumps(["agentperf_results: source fields gone: agentsPerMw"])
    story.warehouse.con.execute("UPDATE history.snapshots SET warnings = ? WHERE captured_at = ?", [warning, at])
    for snapshot_id in ("0", "z"):
        story.warehouse.con.execute(
            "INSERT INTO history.snapshots BY NAME SELECT * REPLACE (? AS snapshot_id, NULL AS warnings) FROM history.snapshots WHERE warnings IS NOT NULL",
            [snapshot_id],
        )
    story.warehouse.con.execute("INSERT INTO history.events_due VALUES (?)", [at])
    changes.derive(story.warehouse)
    assert story.events("changed_after", "kind = 'source_fields_changed'") == [(dt.datetime(2026, 10, 1, 23),)]
    story.warehouse.close()
