"""The lake: bytes by hash, a log that only grows, and a stamp that keeps replays out of live data."""

import dataclasses
import datetime as dt
import gzip
import hashlib
import json
import os

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.lake import DamagedBlob, Lake, LakeError, from_json, iso, new_capture, to_json, utc
from tests.helpers.fake_source import day, put


@pytest.fixture
def lake(tmp_path):
    lake = Lake(tmp_path / "lake")
    lake.prepare()
    return lake


def log_of(lake):
    (log,) = lake.log.glob("*.jsonl")
    return log


def read(lake, since=None):
    return list(lake.lines(since or {}))


def test_bytes_are_kept_under_the_hash_of_the_bytes_before_compression(lake):
    data = b"tokens per second per megawatt " * 100
    sha256 = lake.put(data)
    assert sha256 == hashlib.sha256(data).hexdigest()
    path = lake.root / "raw/blobs" / sha256[:2] / f"{sha256}.gz"
    assert gzip.decompress(path.read_bytes()) == data
    assert path.stat().st_size < len(data) / 5
    assert lake.get(sha256) == data


def test_the_same_bytes_are_stored_once_and_never_written_again(lake):
    sha256 = lake.put(b"the page")
    before = lake.blob_path(sha256).stat()
    assert lake.put(b"the page") == sha256
    after = lake.blob_path(sha256).stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert [p.name for p in lake.blobs.rglob("*") if p.is_file()] == [f"{sha256}.gz"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(gzip.compress(b"another page")),
        lambda path: path.write_bytes(path.read_bytes()[:-9]),
        lambda path: path.write_bytes(b"not gzip"),
        lambda path: path.unlink(),
    ],
    ids=["exchanged", "cut short", "overwritten", "gone"],
)
def test_bytes_that_are_no_longer_what_they_were_are_not_read(lake, damage):
    sha256 = lake.put(b"the page as it was")
    damage(lake.blob_path(sha256))
    with pytest.raises(DamagedBlob, match=sha256[:12]):
        lake.get(sha256)


def test_a_blob_that_could_not_be_written_whole_is_not_there(lake, monkeypatch):
    def no_space(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", no_space)
    with pytest.raises(OSError, match="No space"):
        lake.put(b"the page")
    assert [p for p in lake.blobs.rglob("*") if p.is_file()] == []


def test_every_capture_is_one_line_and_earlier_lines_stay_as_they_are(lake):
    put(lake, day(1), ["a"])
    first = log_of(lake).read_bytes()
    put(lake, day(1), ["a"])
    put(lake, day(2), [], outcome="unreachable", message="no answer")
    both = log_of(lake).read_bytes()
    assert both.startswith(first)
    assert both.count(b"\n") == 3
    assert [json.loads(line)["outcome"] for line in both.splitlines()] == ["fetched", "fetched", "unreachable"]


def test_a_capture_is_logged_in_the_file_of_its_own_month(lake):
    put(lake, dt.datetime(2026, 1, 31, 23, 59), ["a"])
    put(lake, dt.datetime(2026, 2, 1), ["a"])
    assert sorted(p.name for p in lake.log.iterdir()) == ["2026-01.jsonl", "2026-02.jsonl"]


def test_a_full_disk_leaves_no_half_line(lake, monkeypatch):
    put(lake, day(1), ["a"])
    before, write = log_of(lake).read_bytes(), os.write
    monkeypatch.setattr("os.write", lambda handle, data: write(handle, data[:20]))
    with pytest.raises(OSError, match="only 20 of"):
        put(lake, day(2), ["b"])
    monkeypatch.undo()
    assert log_of(lake).read_bytes() == before


def test_a_line_torn_by_a_crash_costs_nothing_but_itself(lake):
    kept = [put(lake, day(1), ["a"])]
    with log_of(lake).open("ab") as file:
        file.write(b'{"capture_id":"half a li')
    assert [c for *_, c in read(lake)] == kept, "a last line without its end is still being written"
    kept.append(put(lake, day(2), ["b"]))
    captures = [c for *_, c in read(lake)]
    assert captures == [kept[0], None, kept[1]]


def test_reading_goes_on_where_it_ended(lake):
    put(lake, day(1), ["a"])
    ((file, start, end, _),) = read(lake)
    assert (start, end) == (0, log_of(lake).stat().st_size)
    later = put(lake, day(2), ["b"])
    assert [c for *_, c in read(lake, {file: end})] == [later]


@pytest.mark.parametrize("line", [b"[1, 2]", b"null", b"{}", b'{"captured_at": 7}', b"\xff\xfe", b'{"capture_id": "x"', b'{"captured_at": "yesterday"}'])
def test_a_damaged_line_is_told_apart_and_raises_nothing(line):
    assert from_json(line) is None


def test_duckdb_reads_the_log_as_it_is(lake):
    put(lake, day(1), ["a"], meta={"page": 1})
    put(lake, day(2), [], outcome="unreachable", message="no answer")
    query = f"SELECT captured_at::TIMESTAMP, outcome, bytes, message FROM read_json('{lake.log}/*.jsonl') ORDER BY 1"
    with duckdb.connect() as con:
        con.execute("SET TimeZone = 'UTC'")
        assert con.execute(query).fetchall() == [(day(1), "fetched", 5, None), (day(2), "unreachable", 2, "no answer")]


TIMES = st.datetimes(min_value=dt.datetime(2020, 1, 1), max_value=dt.datetime(2030, 1, 1))


@given(TIMES, st.text(max_size=40), st.dictionaries(st.text(max_size=8), st.integers() | st.text(max_size=8), max_size=3), st.none() | TIMES)
def test_a_capture_comes_back_from_its_line_as_it_was(captured_at, message, meta, effective_at):
    capture = new_capture(
        source="sglang",
        resource="file",
        scope="https://example.org/ünïcode",
        url="https://example.org/ünïcode",
        captured_at=captured_at,
        outcome="unreachable",
        message=message or None,
        meta=meta,
        effective_at=effective_at,
    )
    assert from_json(json.dumps(to_json(capture)).encode()) == capture


def test_an_id_is_the_hash_of_what_was_captured_not_of_when_it_was_logged():
    about = {"source": "sglang", "resource": "file", "scope": "s", "url": "u", "captured_at": day(1), "outcome": "fetched", "sha256": "ab"}
    capture = new_capture(**about)
    assert capture.capture_id == new_capture(**about, message="told otherwise").capture_id
    assert capture.set_id == capture.capture_id
    others = [{"source": "curated"}, {"scope": "t"}, {"url": "v"}, {"captured_at": day(2)}, {"sha256": "cd"}, {"set_id": "of two"}]
    assert len({new_capture(**{**about, **other}).capture_id for other in others} | {capture.capture_id}) == 7


def test_a_failed_answer_is_never_part_of_a_set():
    capture = new_capture(source="sglang", resource="file", scope="s", url="u", captured_at=day(1), outcome="unreachable", set_id="of two")
    assert capture.set_id == capture.capture_id


def test_the_first_capture_stamps_a_lake_and_the_other_kind_is_refused(lake):
    assert lake.kind is None
    lake.admit("live")
    lake.admit("live")
    assert Lake(lake.root).kind == "live"
    with pytest.raises(LakeError, match=r"live lake.*replay.*Nothing was fetched"):
        lake.admit("replay")
    assert lake.kind == "live"


@pytest.mark.parametrize("text", ["", "{}", "[]", "live", '{"kind": '])
def test_a_lake_that_cannot_say_what_it_is_is_not_used(lake, text):
    (lake.root / "lake.json").write_text(text)
    with pytest.raises(LakeError, match=r"lake\.json cannot be read"):
        lake.admit("live")


def test_a_lake_that_lost_its_stamp_is_not_taken_for_a_new_one(lake):
    lake.admit("live")
    put(lake, day(1), ["a"])
    (lake.root / "lake.json").unlink()
    with pytest.raises(LakeError, match=r"lake\.json is missing"):
        lake.admit("replay")


def test_a_place_that_is_no_folder_is_refused_in_words(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(LakeError, match=r"cannot be written.*MEGAWATCH_LAKE"):
        Lake(tmp_path / "file/lake").prepare()


def test_decisions_are_kept_with_their_reasons(lake):
    assert lake.accepted() == {}
    lake.decide("abc", "the page was split", day(1))
    lake.decisions.open("ab").write(b"half a li")
    lake.decide("def", "ünïcode", day(2))
    assert lake.accepted() == {"abc": "the page was split", "def": "ünïcode"}


@given(TIMES)
def test_times_are_utc_with_or_without_a_zone(time):
    assert utc(iso(time)) == time
    assert utc(time.isoformat()) == time
    zone = dt.timezone(dt.timedelta(hours=5, minutes=30))
    assert utc(time.replace(tzinfo=dt.UTC).astimezone(zone).isoformat()) == time


def test_a_capture_cannot_be_changed_once_made():
    capture = new_capture(source="sglang", resource="file", scope="s", url="u", captured_at=day(1), outcome="fetched")
    with pytest.raises(dataclasses.FrozenInstanceError):
        capture.outcome = "unreachable"


@settings(deadline=None)
@given(at=st.integers(0, 10**6), bit=st.integers(0, 7))
def test_whichever_bit_of_stored_bytes_is_flipped_they_are_told_damaged_or_read_as_they_were(tmp_path_factory, at, bit):
    lake, data = Lake(tmp_path_factory.getbasetemp() / "flipped"), b"tokens per second per megawatt, " * 8 + bytes(range(64))
    path = lake.blob_path(lake.put(data))
    whole = path.read_bytes()
    at %= len(whole)
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :])
    try:
        assert lake.get(hashlib.sha256(data).hexdigest()) == data
    except DamagedBlob:
        pass
    finally:
        path.write_bytes(whole)
