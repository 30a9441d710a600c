import pytest

from pipelines.sources.artificial_analysis.configurations import parse_configurations
from pipelines.sources.base import NoData, Unreadable
from pipelines.validate import schema_failures
from tests.helpers.aa_pages import bundle, configurations_page, flight_page, snake
from tests.helpers.agentperf_figures import MI355X_CONFIGURATION as MI355X

# The two configurations whose ids are publicly known, as NVIDIA described them in June 2026; commands are ours.
GB300 = {
    "id": "60987f21-a7db-4a8e-8d3a-810a7527de2f",
    "title": "GB300 NVL72 (rack-scale disaggregated)",
    "text": "32 GPUs, 6x CTX DEP4 + 1x GEN DEP8. Precision FP4. Framework TensorRT-LLM. Configuration by NVIDIA.",
    "command": "launch \\\n  --ctx 6 --note 'a < b && c'\n  --gen 1",
    "model": "DeepSeek V4 Pro (max)",
    "acceleratorSystem": "GB300 NVL72 (rack-scale disaggregated)",
    "precision": "FP4",
    "framework": "TensorRT-LLM",
    "configuredBy": "NVIDIA",
}


def read(page):
    return parse_configurations(bundle("configurations", page))


def rows(page):
    return {r["config_id"]: r for r in read(page).rows["configurations"]}


def test_a_configuration_is_read_with_its_command_verbatim():
    parsed = read(configurations_page([GB300, MI355X]))
    assert schema_failures(parsed, rows_sound=False) == []
    assert parsed.warnings == []
    row = rows(configurations_page([GB300, MI355X]))[GB300["id"]]
    assert row["command"] == GB300["command"]
    assert (row["system"], row["accelerator"], row["vendor"], row["accelerators"]) == (GB300["title"], "GB300", "NVIDIA", 32)
    assert (row["model"], row["precision"], row["framework"]) == ("DeepSeek V4 Pro (max)", "FP4", "TensorRT-LLM")
    assert row["parallelism"] == "6x CTX DEP4 + 1x GEN DEP8"
    assert (row["configured_by"], row["provenance"]) == ("NVIDIA", "vendor_submitted")
    assert row["source_url"].endswith("/benchmarks/hardware/configs#config-" + GB300["id"])


def test_a_configuration_by_the_evaluator_is_evaluator_measured():
    row = rows(configurations_page([MI355X]))[MI355X["id"]]
    assert (row["configured_by"], row["provenance"]) == ("Artificial Analysis", "evaluator_measured")


def test_cards_alone_give_what_they_show():
    row = rows(configurations_page([GB300, MI355X], stream=False))[GB300["id"]]
    assert (row["title"], row["command"]) == (GB300["title"], GB300["command"])
    assert (row["precision"], row["framework"], row["configured_by"], row["accelerators"]) == ("FP4", "TensorRT-LLM", "NVIDIA", 32)
    assert row["model"] is None


def test_records_alone_and_either_spelling_give_the_same():
    def shown(page):
        return [{k: v for k, v in r.items() if k != "extra"} for r in rows(page).values()]

    camel = configurations_page([GB300, MI355X], cards=False)
    assert shown(camel) == shown(flight_page({"deep": {"configs": snake([GB300, MI355X])}}, body="<p>Showing 2 of 2 configurations</p>"))


def test_nested_objects_are_read():
    nested = {"config": {"id": "7", "launchCommand": ["one", "two"]}, "system": {"name": "8x B300", "gpuCount": 8}, "model": {"name": "Muse Spark Open"}}
    (row,) = rows(flight_page({"list": [{"command": None, **nested}]}, body="Showing 1 of 1")).values()
    assert (row["config_id"], row["command"], row["system"], row["accelerators"], row["model"]) == ("7", "one\ntwo", "8x B300", 8, "Muse Spark Open")


@pytest.mark.parametrize("showing", [(1, 2), (3, 3), (2, 3)])
def test_a_part_of_the_configurations_is_no_snapshot(showing):
    with pytest.raises(Unreadable, match="a part of them is no snapshot"):
        read(configurations_page([GB300, MI355X], showing=showing))


def test_a_page_that_does_not_say_how_many_it_shows_is_read_with_a_warning():
    parsed = read(flight_page({"configs": [GB300]}))
    assert len(parsed.rows["configurations"]) == 1
    assert any("how many" in w for w in parsed.warnings)


def test_a_page_without_configurations_is_no_data():
    with pytest.raises(NoData):
        read(flight_page({"configs": []}))


def test_two_configurations_under_one_id_are_refused():
    with pytest.raises(Unreadable, match="different content"):
        read(flight_page({"configs": [GB300, {**MI355X, "id": GB300["id"]}]}))


def test_a_configuration_without_an_id_is_refused():
    with pytest.raises(Unreadable, match="no id"):
        read(flight_page({"configs": [{k: v for k, v in GB300.items() if k != "id"}]}))
