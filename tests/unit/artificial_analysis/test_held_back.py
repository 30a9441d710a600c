"""Pages that lost something or state the impossible, taken into history: held back in words, old rows stay, good days recover."""

import datetime as dt

import pytest

from pipelines.ingest import derive_again, ingest
from pipelines.lake import Lake, new_capture
from pipelines.sources.artificial_analysis.source import ArtificialAnalysis
from pipelines.warehouse import Warehouse
from tests.helpers.aa_pages import ADDRESSES, PUBLIC, agentperf_page, leaderboard_page
from tests.helpers.agentperf_figures import published
from tests.helpers.model_records import muse_spark_open


class Story:
    """Pages of one resource, a day apart."""

    def __init__(self, folder, resource):
        self.lake = Lake(folder)
        self.lake.prepare()
        self.warehouse = Warehouse(self.lake)
        self.resource, self.url = resource, PUBLIC + ADDRESSES[resource]
        self.at = dt.datetime(2026, 10, 23, 23)

    def page(self, body):
        self.at += dt.timedelta(days=1)
        where = {"resource": self.resource, "scope": self.url, "url": self.url}
        self.lake.record(
            new_capture(source="artificial_analysis", captured_at=self.at, outcome="fetched", sha256=self.lake.put(body), bytes=len(body), **where)
        )
        (snapshot,) = ingest(self.warehouse, ArtificialAnalysis())
        return snapshot

    def accept(self, snapshot):
        self.lake.decide(snapshot.snapshot_id, "AA says so", self.at)
        return derive_again(self.warehouse, ArtificialAnalysis(), self.url)[-1]

    def live(self, table, column):
        return sorted(v for (v,) in self.warehouse.con.execute(f"SELECT {column} FROM history.{table} WHERE live").fetchall() if v is not None)


@pytest.fixture
def story(tmp_path, request):
    made = Story(tmp_path, request.param)
    yield made
    made.warehouse.close()


def listed(change=None, of=20, share=1.0):
    """A leaderboard of twenty models, of which a share is changed."""
    records = [muse_spark_open(id=f"m{n}", slug=f"m-{n}", price1mInputTokens=float(n)) for n in range(of)]
    for record in records[: round(of * share)] if change else []:
        change(record)
    return leaderboard_page(records)


def without_price(record):
    del record["price1mInputTokens"]


def null_price(record):
    record["price1mInputTokens"] = None


@pytest.mark.parametrize("story", ["leaderboard"], indirect=True)
class TestTheLeaderboard:
    @pytest.mark.parametrize("bad", [listed(without_price), listed(null_price, share=0.3), listed(of=16)], ids=["price lost", "30 % null", "20 % of rows lost"])
    def test_a_page_that_lost_too_much_is_held_back_and_the_next_good_one_is_not(self, story, bad):
        assert story.page(listed()).outcome == "changed"
        snapshot = story.page(bad)
        assert snapshot.outcome == "invalid"
        assert "last accepted snapshot" in snapshot.message
        assert story.live("models", "input_usd_mtok") == [float(n) for n in range(20)]
        assert story.page(listed()).outcome == "unchanged"

    def test_a_first_page_without_any_price_is_held_back_too(self, story):
        snapshot = story.page(listed(without_price))
        assert snapshot.outcome == "invalid"
        assert "none of 20 models has input_usd_mtok" in snapshot.message

    def test_the_message_names_the_column(self, story):
        story.page(listed())
        assert "models.input_usd_mtok: missing in 100% of rows" in story.page(listed(without_price)).message

    def test_a_real_change_gets_through_by_accept(self, story):
        story.page(listed())
        assert story.accept(story.page(listed(null_price, share=0.3))).outcome == "changed"
        assert story.live("models", "input_usd_mtok") == [float(n) for n in range(6, 20)]

    def test_a_lost_minor_field_is_a_warning(self, story):
        story.page(listed())
        snapshot = story.page(listed(lambda record: record.pop("licenseName")))
        assert snapshot.outcome in ("changed", "unchanged")
        assert any("lost: licenseName" in w for w in snapshot.warnings)


@pytest.mark.parametrize("story", ["datacenter"], indirect=True)
class TestTheDatacenterPage:
    def test_a_figure_in_a_doubtful_unit_is_held_back_and_never_stored(self, story):
        story.page(agentperf_page(published()))
        wrong = published()
        wrong[0]["agentsPerMegawatt"] = 61.354
        snapshot = story.page(agentperf_page(wrong))
        assert snapshot.outcome == "invalid"
        assert "kW is taken for MW" in snapshot.message
        assert 61354 in story.live("agentperf_results", "value")
        assert 61.354 not in story.live("agentperf_results", "value")
        assert story.page(agentperf_page(published())).outcome == "unchanged"

    def test_a_renamed_key_is_told(self, story):
        story.page(agentperf_page(published()))
        renamed = [{("agentsPerMW" if k == "agentsPerMegawatt" else k): v for k, v in r.items()} for r in published()]
        snapshot = story.page(agentperf_page(renamed))
        assert snapshot.outcome == "unchanged"
        assert any("gained: agentsPerMW" in w for w in snapshot.warnings)
        assert any("lost: agentsPerMegawatt" in w for w in snapshot.warnings)
