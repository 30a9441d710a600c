import pytest

from pipelines.sources.artificial_analysis.source import ArtificialAnalysis
from pipelines.sources.base import NoData
from pipelines.validate import schema_failures
from tests.helpers.aa_pages import PUBLIC, bundle, leaderboard_page
from tests.helpers.model_records import muse_spark_closed, muse_spark_open

URL = PUBLIC + "/models/muse-spark-open"


def read(*records):
    return ArtificialAnalysis().parse(bundle("model_page/muse-spark-open", leaderboard_page(list(records), index_version=4.3), url=URL))


def test_a_models_page_becomes_facts_and_no_second_listing():
    parsed = read(muse_spark_open())
    assert schema_failures(parsed, rows_sound=False) == []
    assert parsed.rows.keys() == {"model_facts"}
    facts = {r["fact"]: r for r in parsed.rows["model_facts"]}
    assert (facts["index_usd_task"]["value"], facts["index_usd_task"]["unit"]) == (0.84, "USD per task")
    assert (facts["index_version"]["value"], facts["index_version"]["value_text"]) == (None, "4.3")
    assert facts["release_date"]["value_text"] == "2026-10-15"
    assert not facts.keys() & {"input_usd_mtok", "output_usd_mtok", "intelligence_index", "output_tok_s"}
    assert (facts["license"]["value_text"], facts["open_weights"]["value_text"]) == ("Muse Model License", "yes")
    assert facts["total_parameters_b"]["value"] == 816
    assert {r["model"] for r in facts.values()} == {"Muse Spark Open"}
    assert {r["source_url"] for r in facts.values()} == {URL}


def test_the_model_is_the_one_with_exactly_the_slug_of_the_address():
    facts = {r["fact"]: r["value_text"] for r in read(muse_spark_closed(), muse_spark_open()).rows["model_facts"]}
    assert (facts["release_date"], facts["open_weights"]) == ("2026-10-15", "yes")


def test_a_page_that_does_not_hold_its_model_is_no_data():
    with pytest.raises(NoData, match="muse-spark-open"):
        read(muse_spark_closed())


def test_a_record_without_a_name_is_held_back():
    failures = schema_failures(read(muse_spark_open(name=None, shortName=None)), rows_sound=False)
    assert {f.column for f in failures} == {"model"}


def test_a_fact_the_page_does_not_state_is_no_row():
    facts = {r["fact"] for r in read(muse_spark_open(sizeClass=None, licenseName="—")).rows["model_facts"]}
    assert not facts & {"size_class", "license"}
