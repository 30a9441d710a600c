"""Medians of peers, points held of a published subset, and names no reference knows."""

import datetime as dt

import pytest

from tests.sql.world import COOKBOOK, FROM, cookbook_point, headline


def listed(model_id, index=None, **more):
    known = {"slug": model_id, "name": model_id, "open_weights": True, "size_class": "large", "source": "artificial_analysis", "origin": "scraped"}
    return {"model_id": model_id, "intelligence_index": index, "index_version": "4.3", "index_is_estimated": False, **known, **more}


def peers(world, model_id, metric="intelligence_index"):
    (row,) = world.rows(f"SELECT * FROM model_peers WHERE model_id = '{model_id}' AND metric = '{metric}'")
    return row


def test_a_model_is_set_against_the_median_of_the_others_of_its_class(world):
    world.add("models", listed("m", 39.0), listed("a", 10.0), listed("b", 19.0), listed("c", 30.0))
    row = peers(world, "m")
    assert (row["value"], row["peer_median"], row["peers"]) == (39, 19, 3)
    assert peers(world, "b")["peer_median"] == 30


def test_closed_other_sized_and_otherwise_measured_models_are_no_peers(world):
    world.add("models", listed("m", 39.0), listed("b", 19.0), listed("closed", 62.0, open_weights=False), listed("small", 5.0, size_class="small"))
    world.add("models", listed("estimated", 8.0, index_is_estimated=True), listed("older", 60.5, index_version="3.0"), listed("api", 50.0, origin="api"))
    row = peers(world, "m")
    assert (row["peer_median"], row["peers"]) == (19, 1)
    assert peers(world, "closed")["peer_median"] == 29


def test_without_a_size_class_there_is_no_median_and_the_reason_is_given(world):
    world.add("models", listed("m", 39.0, size_class=None), listed("a", 10.0, size_class=None))
    row = peers(world, "m")
    assert (row["peer_median"], row["peers"], row["unknown"]) == (None, 0, "the listing states no size class")


def test_speed_peers_need_no_index_version(world):
    world.add("models", listed("m", output_tok_s=142.9), listed("a", output_tok_s=75.4, index_version="4.1"))
    assert peers(world, "m", "output_tok_s")["peer_median"] == 75.4


def test_the_median_the_publisher_states_stands_beside_ours(world):
    world.add("models", listed("m", 39.0, slug="muse-spark-open"))
    fact = {"model": "Muse Spark Open", "fact": "peer_median_intelligence_index", "value": 19.0, "value_text": "19", "publisher": "Artificial Analysis"}
    world.add("model_facts", {**fact, "source": "curated", "origin": "curated", "publication": "listing"})
    row = peers(world, "m")
    assert (row["published_median"], row["published_by"], row["published_source"], row["peers"]) == (19, "Artificial Analysis", "curated", 0)


CLAIM = {
    "publication_name": "SGLang cookbook",
    "model": "Muse Spark Open",
    "accelerator": "GB300",
    "published_points": 5,
    "measured_points": 43,
    "frontier_coverage_ratio": 0.81,
    "source": "curated",
    "origin": "curated",
    "publication": "cookbook",
    "publisher": "SGLang",
}


def test_five_of_43_points_are_published_and_four_are_held(world):
    world.add("published_subsets", CLAIM)
    world.add("operating_points", *({**p, "source": "curated", "origin": "curated", "publication": "cookbook"} for p in COOKBOOK))
    world.add("operating_points", cookbook_point(1, 50.0, 9e4, accelerator="B300"), cookbook_point(2, 50.0, 9e4, status="pending"))
    (row,) = world.rows("SELECT * FROM published_subsets")
    assert (row["published_points"], row["measured_points"], row["held_points"], row["frontier_coverage_ratio"]) == (5, 43, 4, 0.81)
    assert row["computed_coverage_ratio"] is None and "not published" in row["unknown"]


def test_points_from_the_publishers_own_pages_count_and_the_same_points_on_two_ways_count_once(world):
    world.add("published_subsets", CLAIM)
    world.add("operating_points", *({**p, "source": "curated", "origin": "curated", "publication": "cookbook"} for p in COOKBOOK), *COOKBOOK)
    world.add("operating_points", cookbook_point(100, 60.0, 150e3))
    (row,) = world.rows("SELECT held_points FROM published_subsets")
    assert row["held_points"] == 5


def test_a_publication_that_left_nothing_out_covers_its_frontier(world):
    world.add("published_subsets", {**CLAIM, "published_points": 43})
    (row,) = world.rows("SELECT computed_coverage_ratio, unknown FROM published_subsets")
    assert (row["computed_coverage_ratio"], row["unknown"]) == (1, None)


@pytest.fixture
def snapshots(world):
    def put(snapshot_id, resource, unmatched=()):
        query = "INSERT INTO history.snapshots BY NAME SELECT ? AS snapshot_id, 'sglang' AS source, ? AS resource, ? AS scope, ?::TIMESTAMP AS held_at, "
        query += "?::TIMESTAMP AS captured_at, 'changed' AS outcome, ?::VARCHAR[] AS unmatched_names"
        world.warehouse.con.execute(query, [snapshot_id, resource, resource, FROM, FROM, list(unmatched)])

    return put


def test_names_no_reference_knows_are_counted_with_what_the_reader_reported(world, snapshots):
    snapshots("s", "cookbook", ["MI999X", "Novel Model"])
    known = {"snapshot_id": "s"}
    world.add("operating_points", cookbook_point(1, 50.0, 9e4, model="Novel-Model 1T", accelerator="MI999X", **known), {**COOKBOOK[0], **known})
    world.add("agentperf_results", headline("GB300", 150e6, snapshot_id="s", source="sglang"))
    rows = world.rows("SELECT resource, kind, name, tables, rows FROM unmatched_names ORDER BY kind")
    assert [(r["kind"], r["name"]) for r in rows] == [("accelerator", "MI999X"), ("model", "Novel-Model 1T"), ("reported", "Novel Model")]
    assert rows[0]["tables"] == ["operating_points"]
    assert world.rows("SELECT resource, unmatched_names FROM source_health") == [{"resource": "cookbook", "unmatched_names": 3}]


def test_aliases_in_any_letter_case_are_matched(world, snapshots):
    snapshots("s", "cookbook")
    world.add("operating_points", cookbook_point(1, 50.0, 9e4, model="MUSE_SPARK-open", accelerator="gb300 NVL72", snapshot_id="s"))
    assert world.rows("SELECT * FROM unmatched_names") == []
    assert world.rows("SELECT unmatched_names FROM source_health") == [{"unmatched_names": 0}]


def test_a_name_is_matched_whole_not_in_part(world, snapshots):
    snapshots("s", "cookbook")
    world.add("operating_points", cookbook_point(1, 50.0, 9e4, model="Muse Spark", snapshot_id="s"))
    (row,) = world.rows("SELECT kind, name FROM unmatched_names")
    assert row == {"kind": "model", "name": "Muse Spark"}
    (point,) = world.rows("SELECT model_key, model_id FROM operating_points")
    assert point == {"model_key": "muse-spark", "model_id": None}


def test_a_name_means_the_model_that_the_newest_listing_gives_its_slug_to(world):
    named = "SELECT model_id FROM model_names WHERE name = 'musespark'"
    assert world.rows(named) == [{"model_id": None}]
    world.add("models", listed("first id", slug="muse-spark-open"), listed("another", slug="muse-spark-1-3"))
    assert world.rows(named) == [{"model_id": "first id"}]
    world.add("models", listed("second id", slug="muse-spark-open", valid_from=FROM + dt.timedelta(days=1)))
    assert world.rows(named) == [{"model_id": "second id"}]
    assert {r["model_id"]: r["model_key"] for r in world.rows("SELECT model_id, model_key FROM models")}["second id"] == "muse-spark-open"
