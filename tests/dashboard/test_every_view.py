"""Every view stands on every lake there can be, and says what it lacks."""

import datetime as dt

import altair as alt
import pytest
from altair.utils import schemapi

from tests.dashboard.as_of import by_the_views, on_the_page
from tests.dashboard.reader import VIEWS
from tests.shared import needs_shared


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_of_an_empty_lake_explains_what_would_fill_it(read, empty_lake, view):
    page = read(empty_lake, view)
    assert page.question.endswith("?")
    assert len(page.text) > 80


def test_the_first_page_of_an_empty_lake_names_the_command_that_fills_it(read, empty_lake):
    page = read(empty_lake)
    assert "Nothing was fetched yet. Run megawatch refresh, then reload this page." in page.text
    assert "<code>megawatch refresh</code>" in page.markup
    assert page.answer.startswith("No headline, nothing notable and no routine change since")


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_of_the_curated_figures_alone_stands(read, curated_lake, view):
    page = read(curated_lake, view)
    assert page.question.endswith("?")
    assert "replay" not in page.text


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_says_at_its_top_that_its_sources_fail(read, failing_lake, view):
    page = read(failing_lake, view)
    assert "0 of 4 sources fresh" in page.text
    assert "AA page 2 days old" in page.text
    assert "not reachable" in page.text.split(page.question)[1][:200]


@needs_shared
@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS)
def test_a_view_of_the_replay_world_stands_and_says_that_it_is_a_replay(read, world_lake, view):
    page = read(world_lake, view)
    assert "replay data, not live" in page.text
    assert len(page.text) > 300


@needs_shared
@pytest.mark.slow
@pytest.mark.parametrize("view", ["leaderboard", "headline", "curves", "rent_or_own", "model", "gates"])
def test_a_view_answers_for_a_past_day(read, world_lake, view):
    read(world_lake, view, day="2026-10-01")


@needs_shared
@pytest.mark.slow
def test_every_table_of_a_past_day_of_the_replay_world_is_that_of_the_file(world_lake):
    day = dt.date(2026, 10, 22)
    assert on_the_page(world_lake, day) == by_the_views(world_lake, day)


@pytest.mark.parametrize("view", ["headline", "leaderboard", "rent_or_own", "history", "sources"])
def test_every_chart_is_valid_says_what_it_shows_and_names_its_source(read, curated_lake, view):
    page = read(curated_lake, view)
    assert page.charts
    for spec, words in zip(page.charts, page.chart_words, strict=True):
        with schemapi.debug_mode(True):
            alt.Chart.from_dict({k: v for k, v in spec.items() if k not in ("usermeta",)}, validate=True)
        assert len(words) > 20
        assert any("Source:" in line for line in spec["title"]["subtitle"])
        assert spec["config"]["text"]["color"] == "#22201d"
