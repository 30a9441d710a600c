"""The doctor finds what is wrong with a lake, mends what the lake allows, and keeps the rest aside."""

import shutil
import subprocess
import sys

import duckdb
import pytest
from click.testing import CliRunner

from pipelines import warehouse as warehouse_module
from pipelines.cli import main
from pipelines.lake import Lake
from pipelines.refresh import RefreshOptions, opened
from pipelines.settings import Settings
from pipelines.sources.base import GOOD_OUTCOMES
from pipelines.sources.registry import SOURCES
from tests.helpers.spine import few_tables

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


@pytest.fixture(scope="module", autouse=True)
def _few_tables():
    """Prices are enough, and quick; the feeds need events."""
    with few_tables("prices", "change_events"):
        yield


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A lake with two curated files taken in and published."""
    root = tmp_path_factory.mktemp("sound")
    (root / "curated").mkdir()
    for name, value in (("one", 3.0), ("two", 4.25)):
        (root / "curated" / f"{name}.yaml").write_text(PUBLICATION.format(value=value))
    take_in(root)
    return root


@pytest.fixture
def lake(sound, tmp_path, monkeypatch):
    root = tmp_path / "lake"
    shutil.copytree(sound, root)
    monkeypatch.setenv("MEGAWATCH_LAKE", str(root))
    return Lake(root)


def take_in(root):
    """One refresh of the curated figures; what it noted."""
    with opened(Settings(lake=root, _env_file=None), RefreshOptions(sources=("curated",))) as run:
        report = run.run_source(SOURCES["curated"])
        assert report.outcome in GOOD_OUTCOMES, report.problems
        run.build_all()
        assert not run.failed_tables
    return " ".join(run.warehouse.notes)


def megawatch(*arguments):
    return CliRunner().invoke(main, arguments, catch_exceptions=False)


def doctor(*arguments):
    return megawatch("doctor", *arguments)


def assert_sound():
    done = doctor()
    assert done.exit_code == 0, done.output


def prices(lake):
    with duckdb.connect() as con:
        con.execute(f"ATTACH '{lake.published / 'tracker.duckdb'}' AS tracker (READ_ONLY)")
        return [r[0] for r in con.execute("SELECT low FROM tracker.main.prices WHERE valid_to IS NULL ORDER BY low").fetchall()]


def a_blob(lake, of):
    (blob,) = [p for p in lake.blobs.rglob("*.gz") if of.encode() in lake.get(p.name.removesuffix(".gz"))]
    return blob


def flip(path, at):
    damaged = bytearray(path.read_bytes())
    damaged[at] ^= 1
    path.write_bytes(damaged)


def the_log(lake):
    (log,) = lake.log.glob("*.jsonl")
    return log


def cut_last_line(lake):
    log = the_log(lake)
    log.write_bytes(log.read_bytes()[:-40])


def forget_the_warehouse(lake):
    for path in lake.root.glob("warehouse*"):
        path.unlink()


def test_a_sound_lake_is_called_sound(lake):
    done = doctor()
    assert done.exit_code == 0
    assert "Nothing is wrong" in done.output


def test_a_lake_that_is_none_is_said_to_be_none(tmp_path, monkeypatch):
    monkeypatch.setenv("MEGAWATCH_LAKE", str(tmp_path))
    done = doctor()
    assert done.exit_code == 1
    assert "no lake" in done.output


# ---- bytes -----------------------------------------------------------------------------------------------------------


def test_a_flipped_byte_is_found_kept_aside_and_its_snapshot_derived_without_it(lake):
    blob = a_blob(lake, "4.25")
    flip(blob, blob.stat().st_size // 2)
    damaged = blob.read_bytes()
    found = doctor()
    assert found.exit_code == 1
    assert "two.yaml" in found.output
    repaired = doctor("--repair")
    assert repaired.exit_code == 1
    assert "kept aside" in repaired.output
    assert damaged in [p.read_bytes() for p in (lake.root / "aside").iterdir()]
    assert prices(lake) == [3.0]
    after = doctor()
    assert after.exit_code == 0
    assert "two.yaml" in after.output and "lost since an earlier repair" in after.output


def test_lost_bytes_the_source_still_has_are_asked_again_and_stand_as_before(lake):
    blob = a_blob(lake, "4.25")
    flip(blob, blob.stat().st_size // 2)
    doctor("--repair")
    take_in(lake.root)
    assert prices(lake) == [3.0, 4.25]
    assert "Nothing is wrong" in doctor().output
    assert megawatch("rebuild").exit_code == 0
    assert prices(lake) == [3.0, 4.25]


def test_lost_bytes_put_back_from_a_backup_count_again_in_the_next_run(lake):
    blob = a_blob(lake, "4.25")
    backup = blob.read_bytes()
    blob.unlink()
    (lake.curated / "two.yaml").unlink()
    assert "two.yaml" in doctor().output
    doctor("--repair")
    assert prices(lake) == [3.0]
    blob.write_bytes(backup)
    megawatch("refresh", "--source", "inferencex")
    assert prices(lake) == [3.0, 4.25]
    assert "Nothing is wrong" in doctor().output


# ---- the log ---------------------------------------------------------------------------------------------------------


def test_a_cut_log_line_is_brought_back_from_what_the_warehouse_has_read(lake):
    before = the_log(lake).read_bytes()
    cut_last_line(lake)
    found = doctor()
    assert found.exit_code == 1
    assert "was cut" in found.output
    repaired = doctor("--repair")
    assert repaired.exit_code == 0
    assert "mended" in repaired.output
    assert the_log(lake).read_bytes() == before
    assert prices(lake) == [3.0, 4.25]
    assert_sound()


def test_a_log_line_cut_in_the_middle_of_the_file_is_brought_back_to_its_place(lake):
    before = the_log(lake).read_bytes()
    first, rest = before.split(b"\n", 1)
    the_log(lake).write_bytes(first[: len(first) // 2] + b"\n" + rest)
    assert doctor().exit_code == 1
    assert doctor("--repair").exit_code == 0
    assert the_log(lake).read_bytes() == before
    assert_sound()


def test_a_log_line_that_says_something_else_than_was_written_is_found_and_brought_back(lake):
    before = the_log(lake).read_bytes()
    the_log(lake).write_bytes(before.replace(b"two.yaml", b"twp.yaml", 1))
    assert "is damaged" in doctor().output
    assert doctor("--repair").exit_code == 0
    assert the_log(lake).read_bytes() == before


def test_a_cut_log_line_nobody_remembers_is_told_by_every_run_until_it_is_kept_aside(lake):
    cut_last_line(lake)
    remains = the_log(lake).read_bytes()
    forget_the_warehouse(lake)
    take_in(lake.root)
    assert "1 lines of the capture log are damaged" in take_in(lake.root)
    repaired = doctor("--repair")
    assert repaired.exit_code == 1
    assert "kept aside" in repaired.output
    assert any(p.read_bytes().startswith(remains) for p in (lake.root / "aside").iterdir())
    assert_sound()
    assert take_in(lake.root) == ""
    assert prices(lake) == [3.0, 4.25]


def test_a_log_cut_before_a_refresh_is_told_by_it_and_still_brought_back(lake):
    before = the_log(lake).read_bytes()
    cut_last_line(lake)
    assert "remembers more of the lake's logs" in take_in(lake.root)
    assert doctor("--repair").exit_code == 0
    assert the_log(lake).read_bytes().startswith(before)
    assert_sound()


def test_a_damaged_line_of_what_was_told_is_kept_aside(lake):
    (lake.root / "told.jsonl").write_text('{"event_id": "a"}\n{"event_id": "b", "su\n')
    assert "told.jsonl" in doctor().output
    assert doctor("--repair").exit_code == 1
    assert (lake.root / "told.jsonl").read_text().strip() == '{"event_id": "a"}'
    assert_sound()


# ---- what is made from the lake --------------------------------------------------------------------------------------


def test_a_deleted_warehouse_and_a_half_written_published_file_are_made_anew(lake):
    before = prices(lake)
    (lake.root / "warehouse.duckdb").unlink()
    published = lake.published / "tracker.duckdb"
    published.write_bytes(published.read_bytes()[: published.stat().st_size // 2])
    assert doctor().exit_code == 1
    assert doctor("--repair").exit_code == 0
    assert prices(lake) == before
    assert_sound()


def test_a_warehouse_that_someone_else_has_open_is_not_taken_for_damaged(lake):
    code = "import duckdb, sys; con = duckdb.connect(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
    other = subprocess.Popen([sys.executable, "-c", code, str(lake.root / "warehouse.duckdb")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        other.stdout.readline()
        done = doctor("--repair")
        assert done.exit_code == 1
        assert "open in another program" in done.output
    finally:
        other.communicate()
    assert_sound()


def test_a_warehouse_of_another_contract_is_recognised_and_made_anew(lake, monkeypatch):
    monkeypatch.setattr(warehouse_module, "CONTRACT_VERSION", "0")
    forget_the_warehouse(lake)
    take_in(lake.root)
    monkeypatch.undo()
    monkeypatch.setenv("MEGAWATCH_LAKE", str(lake.root))
    assert "of another version" in doctor().output
    assert "of another version" in take_in(lake.root)
    assert prices(lake) == [3.0, 4.25]
    assert_sound()


# ---- a copy ----------------------------------------------------------------------------------------------------------


def test_a_copy_taken_in_the_middle_of_a_run_restores_elsewhere(lake, tmp_path, monkeypatch):
    """All files as they are at that moment, the open warehouse among them."""
    copy = tmp_path / "elsewhere" / "lake"
    (lake.curated / "three.yaml").write_text(PUBLICATION.format(value=5.5))
    with opened(Settings(lake=lake.root, _env_file=None), RefreshOptions(sources=("curated",))) as run:
        SOURCES["curated"].collect(run.collector(SOURCES["curated"]))
        copy.parent.mkdir()
        subprocess.run(["cp", "-r", str(lake.root), str(copy)], check=True)
        run.run_source(SOURCES["curated"])
        run.build_all()
    monkeypatch.setenv("MEGAWATCH_LAKE", str(copy))
    assert doctor("--repair").exit_code == 0
    assert megawatch("rebuild").exit_code == 0
    assert_sound()
    assert prices(Lake(copy)) == [3.0, 4.25, 5.5] == prices(lake)
