"""An export holds what may be passed on, described, safe to open, and never passes a replay off as live."""

import csv
import datetime as dt
import hashlib
import json

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from pipelines import export as exporting
from pipelines.cli import main
from pipelines.export import ExportError, cell, export
from pipelines.sources.base import Terms
from pipelines.tables import DESCRIBED
from tests.helpers.fake_source import FakeSource, price
from tests.sql.world import COOKBOOK, World, headline


def source(name, redistribute="yes"):
    made = FakeSource()
    made.name, made.title = name, name.title()
    made.terms = Terms("yes", redistribute, f"https://{name}.example/terms", f"Credit to {name}")
    return made


SOURCES = [source("sglang"), source("artificial_analysis", "unknown"), source("inferencex", "no"), source("curated")]


@pytest.fixture
def lake(tmp_path, monkeypatch):
    """A published lake with rows of three sources, and rows made from two of them."""
    monkeypatch.chdir(tmp_path)
    world = World(tmp_path / "lake")
    world.add("operating_points", *COOKBOOK)
    world.add(
        "agentperf_results", headline("GB300", 150e6), headline("MI355X", 70e6, source="curated", origin="curated", publication="p", system="=HYPERLINK(1)")
    )
    world.add("prices", price("GB300", 2.31, price_basis="owning"))
    world.publish()
    world.close()
    return tmp_path / "lake"


def exported(lake, to=None, sources=SOURCES):
    return export(lake, to or lake.parent / "out", sources)


def rows(done, name):
    with (done.path / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_table_is_there_twice_with_the_columns_of_the_dictionary(lake):
    done = exported(lake)
    assert set(done.rows) == set(DESCRIBED)
    for name, table in DESCRIBED.items():
        with (done.path / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            header = next(csv.reader(file))
        assert header == pq.read_schema(done.path / f"{name}.parquet").names
        assert set(header) == set(table.names)
    meant = {(r["table"], r["column"]): r["meaning"] for r in rows(done, "data_dictionary.csv")}
    assert set(meant) == {(n, c) for n, t in DESCRIBED.items() for c in t.names}
    assert all(meant.values())


def test_csv_and_parquet_hold_the_same_figures(lake):
    done = exported(lake)
    there = pq.read_table(done.path / "operating_points.parquet").to_pylist()
    said = rows(done, "operating_points.csv")
    assert [(r["concurrency"], r["total_tok_s_gpu"], r["output_tok_s_gpu"]) for r in there] == [
        (int(r["concurrency"]), float(r["total_tok_s_gpu"]), float(r["output_tok_s_gpu"]) if r["output_tok_s_gpu"] else None) for r in said
    ]
    assert {r["concurrency"] for r in there} == {1, 16, 64, 160}
    assert {r["valid_from"] for r in said} == {"2026-10-20T23:00:00Z"}


def test_rows_of_sources_that_do_not_allow_it_are_left_out_and_so_is_what_was_made_with_them(lake):
    done = exported(lake)
    assert {r["source"] for r in rows(done, "agentperf_results.csv")} == {"curated"}
    assert [r["source"] for r in rows(done, "headline_crosscheck.csv")] == ["curated"]
    assert rows(done, "prices.csv") == [] and rows(done, "unit_costs.csv") == []
    assert done.left_out["artificial_analysis"]["agentperf_results"] == 1
    assert done.left_out["inferencex"]["unit_costs"] == 4
    assert len(rows(done, "token_split.csv")) == 4


def test_the_package_says_what_was_left_out_why_and_whom_to_credit(lake):
    package = json.loads((exported(lake).path / "datapackage.json").read_text(encoding="utf-8"))
    left = {e["title"]: e for e in package["left_out"]}
    assert "is not known to allow" in left["Artificial_Analysis"]["reason"] and "does not allow" in left["Inferencex"]["reason"]
    assert left["Inferencex"]["rows_by_table"]["prices"] == 1
    assert package["licenses"] == [{"path": f"https://{n}.example/terms", "title": f"Terms of {n.title()}"} for n in ("sglang", "curated")]
    assert package["attribution"]["inferencex"] == "Credit to inferencex"


def test_the_package_describes_every_file_by_its_bytes_and_every_column_by_type(lake):
    done = exported(lake)
    package = json.loads((done.path / "datapackage.json").read_text(encoding="utf-8"))
    files = {r["path"]: r for r in package["resources"]}
    assert set(files) == {p.name for p in done.path.iterdir()} - {"datapackage.json", "data_dictionary.csv"}
    for path, resource in files.items():
        body = (done.path / path).read_bytes()
        assert resource["hash"] == f"sha256:{hashlib.sha256(body).hexdigest()}" and resource["bytes"] == len(body)
    assert len({r["name"] for r in package["resources"]}) == len(files)
    points = files["operating_points.csv"]
    assert points["profile"] == "tabular-data-resource" and points["schema"]["missingValues"] == [""]
    types = {f["name"]: f["type"] for f in points["schema"]["fields"]}
    assert (types["total_tok_s_gpu"], types["concurrency"], types["flags"], types["valid_from"], types["verified"]) == (
        "number",
        "integer",
        "array",
        "datetime",
        "boolean",
    )
    assert [s["title"] for s in points["sources"]] == ["Sglang"]


def test_no_cell_is_a_formula_in_csv_and_every_text_is_as_it_was_in_parquet(lake):
    done = exported(lake)
    assert [r["system"] for r in rows(done, "agentperf_results.csv")] == ["'=HYPERLINK(1)"]
    assert pq.read_table(done.path / "agentperf_results.parquet", columns=["system"]).to_pylist() == [{"system": "=HYPERLINK(1)"}]


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, None),
        (True, "true"),
        (-1.5, -1.5),
        (dt.datetime(2026, 10, 23, 23), "2026-10-23T23:00:00Z"),
        (["=1+1", "plain"], '["\'=1+1", "plain"]'),
        ([], "[]"),
        ("+49", "'+49"),
        ("-1", "'-1"),
        ("@x", "'@x"),
        ("\tx", "'\tx"),
        ("a=b", "a=b"),
    ],
)
def test_how_a_value_is_written(value, written):
    assert cell(value) == written


def test_a_replay_says_so_in_every_file_name_and_in_the_package(lake):
    replay = World(lake.parent / "replay", kind="replay")
    replay.add("operating_points", *COOKBOOK)
    replay.publish()
    replay.close()
    done = export(lake.parent / "replay", None, SOURCES)
    assert done.is_replay and done.path.name == "megawatch-export-replay"
    assert {p.name for p in done.path.iterdir() if not p.name.startswith("replay-")} == {"datapackage.json"}
    package = json.loads((done.path / "datapackage.json").read_text(encoding="utf-8"))
    assert package["name"] == "megawatch-replay" and package["lake_kind"] == "replay" and "REPLAY" in package["title"]


def test_a_folder_with_something_in_it_is_left_alone(lake, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/mine.txt").write_text("keep")
    with pytest.raises(ExportError, match="not empty"):
        exported(lake, tmp_path / "out")
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_an_export_that_fails_leaves_nothing_behind(lake, tmp_path, monkeypatch):
    monkeypatch.setattr(exporting, "package", lambda *a: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        exported(lake)
    assert not (tmp_path / "out").exists() and not list(tmp_path.glob(".exporting-*"))


def test_a_file_of_another_version_is_not_exported(lake, monkeypatch):
    monkeypatch.delitem(DESCRIBED, "watches")
    with pytest.raises(ExportError, match="megawatch rebuild"):
        exported(lake)


def test_exporting_twice_gives_the_same_bytes(lake, tmp_path):
    one, other = exported(lake, tmp_path / "one"), exported(lake, tmp_path / "other")
    assert {p.name: p.read_bytes() for p in one.path.iterdir()} == {p.name: p.read_bytes() for p in other.path.iterdir()}


def test_the_command_tells_what_it_wrote_and_what_it_left_out_and_refuses_a_full_folder(lake, tmp_path):
    def run(*arguments):
        return CliRunner().invoke(main, ["export", *arguments], env={"MEGAWATCH_LAKE": str(lake)})

    done = run("--to", str(tmp_path / "out"))
    assert done.exit_code == 0
    assert f"{len(DESCRIBED)} tables" in done.output and "Artificial Analysis is not known to allow redistribution" in done.output
    again = run("--to", str(tmp_path / "out"))
    assert again.exit_code == 2 and "not empty" in again.output


def test_without_a_published_file_the_command_says_what_to_do(tmp_path):
    done = CliRunner().invoke(main, ["export"], env={"MEGAWATCH_LAKE": str(tmp_path)})
    assert done.exit_code == 1 and "megawatch refresh" in done.output
