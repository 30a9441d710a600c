"""The doctor finds what is wrong with a lake, mends what the lake allows, and keeps the rest aside."""

import shutil

import duckdb
import pytest
from click.testing import CliRunner

from pipelines.cli import main
from pipelines.lake import Lake
from pipelines.refresh import RefreshOptions, opened
from pipelines.settings import Settings

PUBLICATION = """\
publisher: Prices Example
url: https://prices.example/list
published: 2026-09-08
provenance: vendor_reported
prices:
  - item: B300
    component: gpu_hour
    seller: Prices Example
    price_basis: rental
    price: {value}
    unit: USD/GPU-hour
"""


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A lake with two curated files taken in and published."""
    root = tmp_path_factory.mktemp("sound")
    (root / "curated").mkdir()
    for name, value in (("one", 3.0), ("two", 4.25)):
        (root / "curated" / f"{name}.yaml").write_text(PUBLICATION.format(value=value))
    with opened(Settings(lake=root, _env_file=None), RefreshOptions(sources=("curated",))) as run:
        from pipelines.sources.registry import SOURCES

        report = run.run_source(SOURCES["curated"])
        assert report.outcome == "changed", report.problems
        run.build_all()
    return root


@pytest.fixture
def lake(sound, tmp_path, monkeypatch):
    root = tmp_path / "lake"
    shutil.copytree(sound, root)
    monkeypatch.setenv("MEGAWATCH_LAKE", str(root))
    return Lake(root)


def doctor(*arguments):
    return CliRunner().invoke(main, ["doctor", *arguments], catch_exceptions=False)


def prices(lake):
    with duckdb.connect(str(lake.published / "tracker.duckdb"), read_only=True) as con:
        return [r[0] for r in con.execute("SELECT low FROM prices WHERE valid_to IS NULL ORDER BY low").fetchall()]


def a_blob(lake, of):
    (blob,) = [p for p in lake.blobs.rglob("*.gz") if of.encode() in lake.get(p.name.removesuffix(".gz"))]
    return blob


def test_a_sound_lake_is_called_sound(lake):
    done = doctor()
    assert done.exit_code == 0
    assert "Nothing is wrong" in done.output


def test_a_flipped_byte_is_found_kept_aside_and_its_snapshot_derived_without_it(lake):
    blob = a_blob(lake, "4.25")
    damaged = bytearray(blob.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    blob.write_bytes(damaged)
    found = doctor()
    assert found.exit_code == 1
    assert "two.yaml" in found.output
    repaired = doctor("--repair")
    assert "kept aside" in repaired.output
    assert any((lake.root / "aside").iterdir())
    assert prices(lake) == [3.0]


def test_a_deleted_warehouse_and_a_half_written_published_file_are_made_anew(lake):
    before = prices(lake)
    (lake.root / "warehouse.duckdb").unlink()
    published = lake.published / "tracker.duckdb"
    published.write_bytes(published.read_bytes()[: published.stat().st_size // 2])
    assert doctor().exit_code == 1
    assert doctor("--repair").exit_code == 0
    assert prices(lake) == before
    assert doctor().exit_code == 0


def test_a_cut_log_line_is_told_and_the_rest_of_the_log_still_counts(lake):
    (log,) = lake.log.glob("*.jsonl")
    log.write_bytes(log.read_bytes()[:-40])
    found = doctor()
    assert found.exit_code == 1
    assert "was cut" in found.output
    doctor("--repair")
    assert prices(lake) == [3.0]


def test_a_lake_that_is_none_is_said_to_be_none(tmp_path, monkeypatch):
    monkeypatch.setenv("MEGAWATCH_LAKE", str(tmp_path))
    done = doctor()
    assert done.exit_code == 1
    assert "no lake" in done.output
