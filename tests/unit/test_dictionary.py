"""Every published column is described, once, and the dictionary says what the descriptions say."""

import pytest

from pipelines import dictionary, reader
from pipelines.refresh import RefreshOptions, opened
from pipelines.schema import duckdb_type
from pipelines.settings import load_settings
from pipelines.tables import DESCRIBED


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """(name, type, comment) of every column of a published file without rows, by table."""
    folder = tmp_path_factory.mktemp("empty")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("MEGAWATCH_LAKE", str(folder / "lake"))
        patch.setattr("pipelines.refresh.SOURCES", {})
        with opened(load_settings(), RefreshOptions()) as run:
            run.build_all()
    assert run.failed_tables == {}
    tables: dict[str, list] = {}
    with reader.opened(folder / "lake") as con:
        columns = "select table_name, column_name, data_type, comment from duckdb_columns() where database_name = 'tracker' and schema_name = 'main'"
        for table, *column in reader.ask(con, f"{columns} order by table_name, column_index")[1]:
            tables.setdefault(table, []).append(tuple(column))
    return tables


def test_the_dictionary_is_current():
    assert dictionary.FILE.read_text(encoding="utf-8") == dictionary.dictionary(), "run `make docs`"


def test_every_published_table_is_described_and_every_described_one_is_published(published):
    assert set(published) == set(DESCRIBED)


@pytest.mark.parametrize("name", sorted(DESCRIBED))
def test_a_table_has_exactly_the_columns_and_types_described(published, name):
    assert {c[0]: c[1] for c in published[name]} == {c.name: duckdb_type(c) for c in DESCRIBED[name].columns}


@pytest.mark.parametrize("name", sorted(DESCRIBED))
def test_every_column_carries_its_meaning_into_the_file(published, name):
    assert [column for column, _, comment in published[name] if not comment] == []


def test_a_number_has_a_unit_in_its_name_its_description_or_beside_it():
    ends = ("_s", "_ms", "_kw", "_ratio", "_share", "_usd", "_mtok", "_gpu", "_mw", "_h", "_tok_s", "_points")
    tables = [t for t in DESCRIBED.values() if not {"metric", "unit"} & set(t.names)]
    numbers = [(t.name, c.name, c.metadata["unit"]) for t in tables for c in t.columns if duckdb_type(c) == "DOUBLE"]
    assert [(table, name) for table, name, unit in numbers if not unit and not name.endswith(ends)] == []


def test_bars_in_a_meaning_do_not_break_the_table():
    rows = [line for line in dictionary.dictionary().splitlines() if line.startswith("| `")]
    assert {line.replace("\\|", "").count("|") for line in rows} == {6}
