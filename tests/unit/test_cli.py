"""The command line: what it says, where it says it, and its exit codes."""

import contextlib
import datetime as dt
import json
import random
import subprocess
import sys
import threading
import time
from unittest.mock import patch

import click
import duckdb
import pytest

from pipelines import marts
from pipelines.cli import main
from pipelines.lake import Lake
from pipelines.sources.registry import SOURCES
from pipelines.warehouse import lock
from tests.helpers.fake_source import price

LOOPBACK = "http://127.0.0.1:9"
COMMANDS = [(), *((name,) for name in main.commands)]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_is_everywhere(spine, command, flag):
    said = spine.run(*command, flag).stdout
    assert said.startswith("Usage: ")


def test_the_exit_codes_stand_in_the_help(spine):
    said = spine.run("--help").stdout
    assert [line.split()[0] for line in said.split("Exit codes:")[1].strip().splitlines()] == list("012345")


def test_every_option_says_what_it_does():
    silent = [
        f"{name} {option.name}"
        for name, command in main.commands.items()
        for option in command.params
        if isinstance(option, click.Option) and not option.help and option.name != "how"
    ]
    assert silent == []


@pytest.mark.parametrize(
    "line",
    [
        "refrehs",
        "refresh --frobnicate",
        "refresh --source nobody",
        "refresh --at yesterday",
        "refresh --wait -1",
        "refresh now",
        "accept",
        "accept abc",
        "status --max-age soon",
        "status --max-age -1",
        "sql",
        "sql 'select 1' --format xml",
        "sql 'select 1' --as-of someday",
        "dashboard --port 0",
    ],
)
def test_a_wrong_command_line_is_told_with_the_way_to_help(spine, line):
    result = spine.run(*line.replace("'select 1'", "select_1").split(), code=2)
    assert "Error: " in result.stderr
    assert "--help" in result.stderr
    assert not spine.lake.exists()


@pytest.mark.parametrize("command", ["refresh", "rebuild", "status", "sql select_1"])
def test_a_wrong_setting_is_one_sentence_that_names_it(spine, command):
    spine.env["MEGAWATCH_AA_URL"] = "ftp://example.org"
    result = spine.run(*command.split(), code=2)
    assert result.stderr.startswith("MEGAWATCH_AA_URL")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("home", ["relative", "/there/is/no/such/folder"])
def test_a_dagster_home_that_cannot_be_used_is_told_before_anything_is_done(spine, home):
    spine.env["DAGSTER_HOME"] = home
    assert spine.run("refresh", code=2).stderr.startswith("DAGSTER_HOME cannot be used")
    assert not spine.lake.exists()


def test_with_a_dagster_home_the_run_is_kept_there(spine, tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home/dagster.yaml").write_text("telemetry:\n  enabled: false\n")
    spine.env["DAGSTER_HOME"] = str(tmp_path / "home")
    spine.run("refresh")
    assert (tmp_path / "home/history/runs.db").exists()


@pytest.mark.parametrize("command", ["refresh", "rebuild", "accept abc --reason because"])
def test_a_lake_that_cannot_be_used_is_told_and_nothing_is_done(spine, command):
    spine.lake.write_text("not a folder")
    assert "cannot be written" in spine.run(*command.split(), code=1).stderr
    assert spine.lake.read_text() == "not a folder"


@pytest.mark.parametrize("command", ["status", "sql select_1"])
def test_asking_before_the_first_refresh_says_to_refresh(spine, command):
    assert "megawatch refresh" in spine.run(*command.split(), code=1).stderr


@pytest.mark.parametrize("command", ["status", "sql select_1"])
def test_a_damaged_published_file_is_told_with_the_way_out(spine, command):
    spine.run("refresh")
    (spine.lake / "published/tracker.duckdb").write_bytes(b"not a database" * 1000)
    assert "megawatch rebuild" in spine.run(*command.split(), code=1).stderr


def test_a_folder_that_may_not_be_written_ends_in_words(spine, monkeypatch):
    def refuse(*_args, **_more):
        raise PermissionError(13, "Permission denied", str(spine.lake / ".lock"))

    monkeypatch.setattr("pipelines.warehouse.FileLock.acquire", refuse)
    said = spine.run("refresh", code=1).stderr
    assert "Permission denied" in said
    assert str(spine.lake / ".lock") in said


def test_a_capture_time_in_the_future_is_refused(spine):
    tomorrow = dt.datetime.now(dt.UTC) + dt.timedelta(days=1)
    assert "future" in spine.run("refresh", "--at", tomorrow.isoformat(), code=1).stderr
    assert not (spine.lake / "raw").exists()


def test_a_capture_time_counts_with_its_zone(spine):
    in_an_hour_as_written = dt.datetime.now(dt.UTC).replace(tzinfo=None, microsecond=0) + dt.timedelta(hours=1)
    spine.run("refresh", "--at", f"{in_an_hour_as_written.isoformat()}+02:00")
    (row,) = spine.ask("select captured_at from snapshots")
    assert row["captured_at"] == str(in_an_hour_as_written - dt.timedelta(hours=2))


def test_a_replay_on_a_live_lake_is_refused_and_so_is_the_reverse(spine):
    spine.run("refresh")
    captures = spine.ask("select count(*) as n from snapshots")
    spine.env["MEGAWATCH_INFERENCEX_URL"] = LOOPBACK
    assert "live lake" in spine.run("refresh", code=1).stderr
    del spine.env["MEGAWATCH_INFERENCEX_URL"]
    assert spine.ask("select count(*) as n from snapshots") == captures
    spine.env["MEGAWATCH_LAKE"] = str(spine.lake.with_name("replayed"))
    spine.run("refresh")


def test_a_lake_that_another_run_holds_is_told_by_its_own_exit_code(spine):
    lake = Lake(spine.lake)
    lake.prepare()
    with lock(lake):
        for command in ("refresh", "rebuild", "accept abc --reason because"):
            assert "Another run holds the lake" in spine.run(*command.split(), code=5).stderr
    spine.run("refresh")


def test_a_refresh_waits_as_long_as_it_is_told_to(spine):
    lake = Lake(spine.lake)
    lake.prepare()
    started, held = time.monotonic(), threading.Event()

    def hold():
        with lock(lake):
            held.set()
            time.sleep(1)

    other = threading.Thread(target=hold)
    other.start()
    held.wait()
    spine.run("refresh", "--wait", "30")
    other.join()
    assert time.monotonic() - started > 1


def test_a_refresh_ends_with_a_line_for_each_source(spine):
    spine.source.says = [price("b300", 4.25), price("h200", 2.0)]
    first = spine.run("refresh")
    header, line = first.stdout.splitlines()[:2]
    assert header.split() == ["source", "outcome", "rows", "changed", "rows", "seconds"]
    assert line.split()[:4] == ["inferencex", "changed", "2", "2"]
    assert first.stderr == ""


def test_a_second_refresh_changes_nothing(spine):
    spine.source.says = [price("b300", 4.25)]
    spine.run("refresh")
    before = spine.ask("select * from prices")
    assert spine.run("refresh").stdout.splitlines()[1].split()[1:4] == ["unchanged", "1", "0"]
    assert spine.ask("select * from prices") == before


@pytest.mark.parametrize("says", ["unreachable", "nothing"])
def test_a_source_that_fails_is_told_and_the_refresh_still_ends_well(spine, says):
    spine.source.says = [price("b300", 4.25)]
    spine.run("refresh", "--at", "2026-01-01")
    spine.source.says = says
    result = spine.run("refresh", "--at", "2026-01-02")
    outcome = {"nothing": "no_data"}.get(says, says)
    assert result.stdout.splitlines()[1].split()[1] == outcome
    assert f"inferencex: list: {outcome}. " in result.stdout
    assert [r["low"] for r in spine.ask("select low from prices where valid_to is null")] == [4.25]


def test_strict_turns_a_source_that_did_not_end_well_into_an_exit_code(spine):
    spine.source.says = [price("b300", 4.25)]
    spine.run("refresh", "--strict")
    spine.run("refresh", "--strict")
    spine.source.says = "unreachable"
    assert "--strict" in spine.run("refresh", "--strict", code=3).stderr


def test_a_source_whose_reader_breaks_is_told_and_the_rest_is_published(spine, monkeypatch):
    def broken(_run):
        raise KeyError("boom")

    monkeypatch.setattr(spine.source, "collect", broken)
    said = spine.run("refresh").stdout
    assert "KeyError: 'boom'" in said
    assert "Please report it" in said
    assert spine.ask("select last_outcome from source_health") == [{"last_outcome": "invalid"}]


def test_a_source_that_stands_on_damaged_bytes_is_told_with_the_way_to_mend_them(spine, monkeypatch):
    monkeypatch.setattr(spine.source, "collect", lambda run: run.lake.get("ab" * 32))
    said = spine.run("refresh").stdout
    assert "abababababab are missing or damaged. Run `megawatch doctor`" in said
    assert "Please report it" not in said


@pytest.mark.parametrize(
    "said",
    [RuntimeError("Query interrupted"), duckdb.InvalidInputException("reading the schema of the object failed: DagsterExecutionInterruptedError: ")],
    ids=["in a query", "in an insert"],
)
def test_a_signal_that_reaches_the_database_ends_the_refresh_and_is_no_fault_of_the_source(spine, monkeypatch, said):
    def interrupted(_run):
        raise said

    monkeypatch.setattr(spine.source, "collect", interrupted)
    assert "Please report it" not in spine.run("refresh", code=1).output


def test_a_table_that_cannot_be_built_fails_the_refresh_but_not_the_other_tables(spine):
    spine.source.says = [price("b300", 4.25)]
    spine.run("refresh")
    broken = [
        f if f.name != "source_health" else marts.SqlFile(f.name, "-- broken\nSELECT no_such_column FROM snapshots", False, "") for f in marts.sql_files()
    ]
    spine.source.says = [price("b300", 5.0)]
    with patch.object(marts, "sql_files", lambda: tuple(broken)):
        for command in ("refresh", "rebuild"):
            said = spine.run(command, code=1).stderr
            assert "source_health could not be built" in said
            assert "no_such_column" in said
    assert [r["low"] for r in spine.ask("select low from prices where valid_to is null")] == [5.0]


def test_status_lists_every_setting_and_no_secret(spine):
    spine.env |= {"GITHUB_TOKEN": "ghp_topsecret", "MEGAWATCH_AA_API_KEY": "aa_topsecret", "MEGAWATCH_HEARTBEAT_URL": "http://127.0.0.1:9/hb_topsecret"}
    spine.run("refresh")
    said = spine.run("status").output
    assert "topsecret" not in said
    for name in ("MEGAWATCH_LAKE", "MEGAWATCH_AA_URL", "MEGAWATCH_WATCHED_MODELS", "MEGAWATCH_CONTACT", "GITHUB_TOKEN"):
        assert name in said
    assert "Lake: live, data to " in said


def test_status_tells_stale_by_its_own_exit_code(spine):
    spine.source.says = [price("b300", 4.25)]
    spine.run("refresh", "--at", (dt.datetime.now(dt.UTC) - dt.timedelta(hours=10)).isoformat())
    assert "inferencex" in spine.run("status", "--max-age", "9", code=4).stderr
    spine.run("status", "--max-age", "11")
    spine.run("refresh")
    spine.run("status", "--max-age", "9")


def test_an_attempt_that_failed_does_not_make_a_source_fresh(spine):
    spine.source.says = [price("b300", 4.25)]
    spine.run("refresh", "--at", (dt.datetime.now(dt.UTC) - dt.timedelta(hours=10)).isoformat())
    spine.source.says = "unreachable"
    spine.run("refresh")
    spine.run("status", "--max-age", "9", code=4)


def test_a_source_that_was_never_asked_is_stale(spine, monkeypatch):
    spine.run("refresh")
    spine.run("status", "--max-age", "9")
    monkeypatch.setitem(SOURCES, "sglang", spine.source)
    assert "sglang" in spine.run("status", "--max-age", "9", code=4).stderr


@pytest.mark.parametrize(
    "query",
    [
        "selekt 1",
        "select * from no_such_table",
        "select no_such_column from prices",
        "",
        "   ;",
        "create table mine as select 1",
        "delete from prices",
        "drop view main.prices",
        "copy prices to 'copied.csv'",
        "attach 'other.duckdb'",
        "select * from read_text('/etc/hostname')",
        "set enable_external_access = true",
        "install httpfs",
    ],
)
def test_a_query_that_cannot_be_answered_is_one_message(spine, query):
    spine.run("refresh")
    published = (spine.lake / "published/tracker.duckdb").read_bytes()
    result = spine.run("sql", query, code=1)
    assert result.stdout == ""
    assert len(result.stderr.strip()) > 10
    assert (spine.lake / "published/tracker.duckdb").read_bytes() == published


def test_an_answer_comes_as_a_table_csv_or_json(spine):
    spine.source.says = [price("b300", 4.25), price("=cmd()", 2.0)]
    spine.run("refresh")
    query = "select item, low, vendor, 0.5::decimal(3,1) as half, date '2026-01-02' as day from prices order by low"
    table = spine.run("sql", query).stdout.splitlines()
    assert [line.split() for line in table] == [
        ["item", "low", "vendor", "half", "day"],
        ["=cmd()", "2.0", "0.5", "2026-01-02"],
        ["b300", "4.25", "0.5", "2026-01-02"],
    ]
    csv = spine.run("sql", query, "--format", "csv").stdout.splitlines()
    assert csv == ["item,low,vendor,half,day", "'=cmd(),2.0,,0.5,2026-01-02", "b300,4.25,,0.5,2026-01-02"]
    assert spine.ask(query)[1] == {"item": "b300", "low": 4.25, "vendor": None, "half": 0.5, "day": "2026-01-02"}


HOSTILE = "[/b] \x1b[2J\x1b]0;owned\x07 [red]x"


def test_words_of_a_source_neither_command_the_terminal_nor_pass_for_markup(spine, monkeypatch):
    def refuse(run):
        run.failed("list", "https://prices.example/list", "unreachable", f"it said {HOSTILE}")

    monkeypatch.setattr(spine.source, "collect", refuse)
    spine.lake.mkdir()
    for command in (("refresh",), ("status",), ("sql", "select message from source_health")):
        said = spine.run(*command).stdout
        assert "it said [/b] \ufffd[2J\ufffd]0;owned\ufffd [red]x" in said
        assert "\x1b" not in said
    assert spine.ask("select message from source_health") == [{"message": f"it said {HOSTILE}"}]


def test_json_is_json_whatever_the_numbers_are(spine):
    spine.run("refresh")
    said = spine.run("sql", "select 'nan'::double as a, 1e308 * 10 as b, 12345678901234567890123::hugeint as c, [1.5, null] as d", "--format", "json").stdout
    (row,) = json.loads(said, parse_constant=lambda constant: pytest.fail(f"{constant} is not JSON"))
    assert row["c"] == 12345678901234567890123
    assert row["d"] == [1.5, None]


def test_columns_of_one_name_do_not_swallow_each_other(spine):
    spine.run("refresh")
    (row,) = spine.ask("select 1 as a, 2 as a")
    assert sorted(row.values()) == [1, 2]


def test_an_answer_as_of_a_day_is_the_one_that_stood_at_its_end(spine):
    for at, low in (("2026-01-01T23:00:00Z", 3.0), ("2026-01-03T01:00:00Z", 4.25)):
        spine.source.says = [price("b300", low)]
        spine.run("refresh", "--at", at)
    query = "select low from prices"
    assert spine.ask(query, "--as-of", "2025-12-31") == []
    assert spine.ask(query, "--as-of", "2026-01-01") == [{"low": 3.0}]
    assert spine.ask(query, "--as-of", "2026-01-02") == [{"low": 3.0}]
    assert spine.ask(query, "--as-of", "2026-01-03") == [{"low": 4.25}]
    assert len(spine.ask(query)) == 2, "without a day the table holds every version"


def test_what_the_comparison_held_back_can_be_accepted_with_a_reason(spine):
    spine.source.how |= {"compared": True, "may_be_empty": False}
    spine.source.says = [price(f"gpu{n}", 1.0 + n) for n in range(10)]
    spine.run("refresh", "--at", "2026-01-01")
    spine.source.says = spine.source.says[:5]
    spine.run("refresh", "--at", "2026-01-02")
    (held,) = spine.ask("select snapshot_id from snapshots where outcome = 'invalid'")
    spine.run("accept", held["snapshot_id"], "--reason", "  ", code=2)
    assert "5 rows changed" in spine.run("accept", held["snapshot_id"], "--reason", "the survey dropped five").stdout
    assert spine.ask("select accepted_reason from snapshots where accepted_reason is not null") == [{"accepted_reason": "the survey dropped five"}]
    assert len(spine.ask("select 1 as n from prices where valid_to is null")) == 5
    assert "was not held back" in spine.run("accept", held["snapshot_id"], "--reason", "again", code=1).stderr


def test_accepting_what_there_is_not_says_how_to_find_what_there_is(spine):
    spine.run("refresh")
    assert "select snapshot_id" in spine.run("accept", "abc", "--reason", "because", code=1).stderr


def test_a_rebuild_gives_the_same_tables(spine):
    for at, low in (("2026-01-01", 3.0), ("2026-01-02", 4.25)):
        spine.source.says = [price("b300", low), price("h200", 2.0)]
        spine.run("refresh", "--at", at)
    spine.source.says = "unreachable"
    spine.run("refresh", "--at", "2026-01-03")
    tables = [r["t"] for r in spine.ask("select table_name as t from duckdb_tables() where schema_name = 'main'")]
    before = {t: spine.ask(f"select * from {t} order by all") for t in tables}
    (spine.lake / "warehouse.duckdb").write_bytes(b"damaged")
    assert str(spine.lake / "published/tracker.duckdb") in spine.run("rebuild").stdout
    assert {t: spine.ask(f"select * from {t} order by all") for t in tables} == before
    assert [len(before[t]) for t in ("prices", "snapshots", "source_health")] == [3, 3, 1]


def test_a_damaged_warehouse_is_set_aside_told_and_made_again(spine):
    spine.source.says = [price("b300", 4.25)]
    spine.run("refresh")
    before = spine.ask("select * from prices")
    (spine.lake / "warehouse.duckdb").write_bytes(b"damaged" * 1000)
    assert "set aside" in spine.run("refresh").stdout
    assert spine.ask("select * from prices") == before


def test_a_warehouse_found_damaged_in_the_middle_of_a_run_is_set_aside_and_the_run_made_again(spine):
    long = {"publisher": random.Random(1).randbytes(300_000).hex()}
    spine.source.says = [price("b300", 4.25, **long)]
    spine.run("refresh")
    before = spine.ask("select version_id from prices")
    damage_rows_of_prices(spine.lake)
    spine.source.says = [price("b300", 5.0, **long)]
    assert "found damaged" in spine.run("refresh").stdout
    assert [r["low"] for r in spine.ask("select low from prices order by valid_from")] == [4.25, 5.0]
    assert spine.ask("select version_id from prices order by valid_from")[:1] == before
    assert "damaged" not in spine.run("refresh").stdout


def damage_rows_of_prices(lake):
    """Noise in a block that holds a long text of a row: the file opens as if nothing were wrong."""
    path = lake / "warehouse.duckdb"
    sound = path.read_bytes()
    for start in range(12 << 10, len(sound), 256 << 10):
        path.write_bytes(sound[: start + 40_000] + b"noise" * 800 + sound[start + 44_000 :])
        with contextlib.suppress(duckdb.Error), duckdb.connect(str(path)) as con:
            con.execute("FROM history.about").fetchall()
            try:
                con.execute("SELECT hash(p) FROM history.prices p").fetchall()
            except duckdb.Error:
                return
    raise AssertionError("no block holds rows of prices alone")


def test_a_file_in_the_warehouses_place_that_is_none_is_set_aside_and_not_written_to(spine):
    spine.run("refresh")
    (spine.lake / "warehouse.duckdb").unlink()
    with duckdb.connect(str(spine.lake / "warehouse.duckdb")) as con:
        con.execute("CREATE TABLE mine AS SELECT 1")
    spine.run("refresh")
    with duckdb.connect(str(spine.lake / "warehouse.set-aside.duckdb")) as con:
        assert con.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("mine",)]
    assert "set aside" not in spine.run("refresh").stdout


def test_a_warehouse_that_someone_else_has_open_is_left_alone(spine):
    spine.run("refresh")
    code = "import duckdb, sys; con = duckdb.connect(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
    other = subprocess.Popen([sys.executable, "-c", code, str(spine.lake / "warehouse.duckdb")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        other.stdout.readline()
        assert "open in another program" in spine.run("refresh", code=1).stderr
    finally:
        other.communicate()
    assert not list(spine.lake.glob("*set-aside*"))
    spine.run("refresh")
