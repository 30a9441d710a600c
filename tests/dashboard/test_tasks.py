"""What waits for a person stands on the first screen and beside the sources; nothing stands there where nothing waits."""

import datetime as dt

import pytest

from tests.helpers import told_lake as told

URL = "https://publisher.example/post?<b>"


def page_text(sha256):
    row = {
        "url": URL,
        "title": "A post",
        "text_sha256": sha256,
        "text_characters": 900,
        **told.fact("curated", source_url=URL, origin="scraped", provenance="derived"),
    }
    return {"watched_pages": [row]}


def lake_of(folder, *texts):
    for number, text in enumerate(texts, start=1):
        told.tell(folder, "curated", dt.datetime(2026, 10, number, 23), page_text(text))
    told.publish(folder)
    return folder


@pytest.mark.parametrize("view", ["what_changed", "sources"])
def test_a_changed_page_behind_a_figure_is_a_task_with_its_day_and_link(read, tmp_path, view):
    page = read(lake_of(tmp_path / "lake", "one", "other"), view)
    assert "What is there to do?" in page.text
    assert f"The text of {URL} changed. Read it, and enter what is new" in page.text
    assert "2 Oct" in page.text


def test_without_a_task_there_is_no_such_section(read, tmp_path):
    assert "What is there to do?" not in read(lake_of(tmp_path / "lake", "one", "one"), "what_changed").text
