"""Which files are kept when, and what a file that is gone says."""

import datetime as dt
import hashlib
from types import SimpleNamespace

import pytest

from pipelines.sources.base import Bundle, Capture, Part, Unreadable
from pipelines.sources.curated import SOURCE
from pipelines.sources.curated.sections import SECTIONS
from tests.unit.curated.publications import HEADER, RESULT

NIGHT = dt.datetime(2026, 11, 1, 23)


class Lake:
    """As much of a collector as the source uses."""

    def __init__(self, folder, at=NIGHT):
        self.settings = SimpleNamespace(lake=folder, watched_pages=())
        self.at = at
        self.kept = []
        self.bodies = {}

    def keep(self, path, body, *, resource, scope, outcome="fetched", meta=None):
        sha256 = hashlib.sha256(body).hexdigest()
        capture = Capture(f"c{len(self.kept)}", "curated", resource, scope, f"c{len(self.kept)}", path, self.at, outcome, sha256=sha256)
        self.kept.append(capture)
        self.bodies[capture.capture_id] = body
        return capture

    def failed(self, resource, url, outcome, message):
        capture = Capture(f"c{len(self.kept)}", "curated", resource, url, f"c{len(self.kept)}", url, self.at, outcome, message=message)
        self.kept.append(capture)
        return capture

    def captures(self):
        return sorted(self.kept, key=lambda c: c.captured_at)

    def refresh(self, at=None):
        self.at = at or self.at
        before = len(self.kept)
        SOURCE.collect(self)
        return [(c.resource, c.outcome) for c in self.kept[before:]]

    def parse(self, capture):
        part = Part(capture, self.bodies[capture.capture_id])
        return SOURCE.parse(Bundle("curated", capture.resource, capture.scope, capture.captured_at, capture.captured_at, (part,)))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "curated").mkdir()
    (tmp_path / "curated/a-post.yaml").write_text(HEADER + RESULT)
    return tmp_path


def test_every_file_is_kept_under_its_own_name_and_scope_and_no_path_of_the_machine(folder):
    lake = Lake(folder)
    assert lake.refresh() == [("a-post.yaml", "fetched")]
    (capture,) = lake.kept
    assert (capture.url, capture.scope) == ("curated/a-post.yaml", "curated/a-post.yaml")
    parsed = lake.parse(capture)
    assert parsed.rows["agentperf_results"][0]["publication"] == "a-post"
    assert not parsed.compared


def test_a_file_is_left_out_before_the_day_it_was_published_and_kept_from_that_day_on(folder):
    lake = Lake(folder)
    assert lake.refresh(dt.datetime(2026, 10, 22, 23, 59)) == []
    assert lake.refresh(dt.datetime(2026, 10, 23, 0, 0)) == [("a-post.yaml", "fetched")]
    assert lake.parse(lake.kept[0]).rows["agentperf_results"][0]["dated_from"] == dt.datetime(2026, 10, 23)


def test_a_comment_behind_the_date_or_windows_line_ends_do_not_hide_the_date(folder):
    text = (HEADER + RESULT).replace("published: 2026-10-23", "published: 2026-10-23 # the last day it can be")
    (folder / "curated/a-post.yaml").write_bytes(text.replace("\n", "\r\n").encode())
    assert Lake(folder).refresh(dt.datetime(2026, 10, 22)) == []


def test_a_file_whose_date_cannot_be_read_is_kept_so_that_its_error_is_told(folder):
    (folder / "curated/a-post.yaml").write_text(HEADER.replace("2026-10-23", "soon") + RESULT)
    lake = Lake(folder)
    assert lake.refresh() == [("a-post.yaml", "fetched")]
    with pytest.raises(Unreadable, match=r"a-post\.yaml, line 3: published: 'soon' is no date"):
        lake.parse(lake.kept[0])


def test_one_wrong_file_does_not_keep_the_others_out(folder):
    (folder / "curated/b-post.yaml").write_text("publisher: [")
    (folder / "curated/c-post.yaml").write_text(HEADER + RESULT)
    lake = Lake(folder)
    assert [name for name, _ in lake.refresh()] == ["a-post.yaml", "b-post.yaml", "c-post.yaml"]
    with pytest.raises(Unreadable):
        lake.parse(lake.kept[1])
    assert lake.parse(lake.kept[2]).rows["agentperf_results"]


def test_a_file_that_is_gone_is_told_once_and_parses_to_tables_without_rows(folder):
    lake = Lake(folder)
    lake.refresh()
    (folder / "curated/a-post.yaml").unlink()
    assert lake.refresh(NIGHT + dt.timedelta(days=1)) == [("a-post.yaml", "removed")]
    parsed = lake.parse(lake.kept[-1])
    assert parsed.rows == {table: [] for table in SECTIONS} and parsed.may_be_empty
    assert lake.refresh(NIGHT + dt.timedelta(days=2)) == []


def test_a_file_that_did_not_change_is_told_as_such_until_it_changes(folder):
    lake = Lake(folder)
    lake.refresh()
    assert lake.refresh(NIGHT + dt.timedelta(days=1)) == [("a-post.yaml", "not_modified")]
    (folder / "curated/a-post.yaml").write_text(HEADER + RESULT.replace("6900", "7000"))
    assert lake.refresh(NIGHT + dt.timedelta(days=2)) == [("a-post.yaml", "fetched")]
    assert lake.refresh(NIGHT + dt.timedelta(days=3)) == [("a-post.yaml", "not_modified")]


def test_a_file_that_comes_back_is_kept_again(folder):
    lake = Lake(folder)
    lake.refresh()
    (folder / "curated/a-post.yaml").unlink()
    lake.refresh(NIGHT + dt.timedelta(days=1))
    (folder / "curated/a-post.yaml").write_text(HEADER + RESULT)
    assert lake.refresh(NIGHT + dt.timedelta(days=2)) == [("a-post.yaml", "fetched")]


def test_a_file_that_is_only_not_yet_published_at_an_earlier_time_is_not_gone(folder):
    lake = Lake(folder)
    lake.refresh()
    assert lake.refresh(dt.datetime(2026, 10, 1)) == []


def test_a_lake_without_the_folder_is_a_failure_and_removes_nothing(folder):
    lake = Lake(folder)
    lake.refresh()
    (folder / "curated").rename(folder / "elsewhere")
    assert lake.refresh(NIGHT + dt.timedelta(days=1)) == [("curated", "unreachable")]
    assert "those read before stay" in lake.kept[-1].message


def test_another_ending_is_told_and_other_files_are_left_alone(folder):
    (folder / "curated/b-post.yml").write_text(HEADER + RESULT)
    (folder / "curated/README.md").write_text("notes")
    (folder / "curated/.hidden.yaml").write_text("x")
    lake = Lake(folder)
    assert lake.refresh() == [("a-post.yaml", "fetched"), ("b-post.yml", "invalid")]
    assert "rename it" in lake.kept[-1].message


def test_a_folder_named_like_a_file_is_told(folder):
    (folder / "curated/b-post.yaml").mkdir()
    lake = Lake(folder)
    assert lake.refresh() == [("a-post.yaml", "fetched"), ("b-post.yaml", "invalid")]
    assert "could not be read (Is a directory)" in lake.kept[-1].message
