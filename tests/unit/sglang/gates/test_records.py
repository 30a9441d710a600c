"""Gates as records of the history table."""

from __future__ import annotations

import json

from pipelines.schema import frame
from pipelines.sources.sglang.gates import to_records
from pipelines.tables.repository import ACCURACY_GATES
from tests.unit.sglang.gates.files import PATH, RUN, read, two_gates

COMMIT = "0123456789abcdef0123456789abcdef01234567"
URL = f"https://github.com/sgl-project/sglang/blob/{COMMIT}/{PATH}"


def records(text: str):
    return to_records(read(text), path=PATH, commit_sha=COMMIT, pull_request=40610, author="someone", source_url=URL)


def test_records_are_what_the_table_takes():
    table, failures = frame(ACCURACY_GATES, records(two_gates(f"Measured 0.947 on MI355X, run {RUN}.", "TBD")))
    assert failures == []
    ACCURACY_GATES.schema.validate(table, lazy=True)


def test_a_record_names_its_commit_and_stands_behind_the_framework():
    record = records(two_gates())[0]
    assert {k: record[k] for k in ("source", "origin", "provenance", "path", "commit_sha", "pull_request", "author", "source_url")} == {
        "source": "sglang",
        "origin": "git",
        "provenance": "framework_reported",
        "path": PATH,
        "commit_sha": COMMIT,
        "pull_request": 40610,
        "author": "someone",
        "source_url": URL,
    }


def test_what_is_missing_stays_missing():
    record = records(two_gates())[0]
    assert [record[k] for k in ("evidence", "evidence_value", "evidence_run", "evidence_stale", "disabled_reason")] == [None] * 5


def test_shares_and_tokens_keep_the_text_they_are_written_as():
    accuracy, length = records(two_gates(accuracy="92.5", length="3"))
    assert (accuracy["threshold"], accuracy["threshold_text"]) == (0.925, "92.5")
    assert (length["threshold"], length["threshold_text"]) == (3.0, "3")


def test_what_the_file_says_besides_is_kept():
    assert json.loads(records(two_gates("TBD"))[0]["extra"]) == {"evidence_source": "comment", "nightly": True, "threshold_source": "literal"}
