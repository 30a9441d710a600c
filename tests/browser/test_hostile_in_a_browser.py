"""Scraped markup stays text in a real browser."""

import pytest

from tests.dashboard.reader import VIEWS
from tests.dashboard.test_hostile_text import NAME, hostile_lake  # noqa: F401 - the fixture
from tests.helpers.page_server import dashboard

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def hostile_page(hostile_lake):  # noqa: F811
    with dashboard(hostile_lake) as address:
        yield address


@pytest.mark.parametrize("path", ("", *VIEWS[1:]))
def test_a_hostile_name_runs_nothing_and_shows_as_its_characters(tab, hostile_page, path):
    opened = tab().open(f"{hostile_page}/{path}")
    opened.page.wait_for_timeout(500)
    assert not opened.errors
    assert opened.page.locator("img[src=x]").count() == 0
    assert opened.page.locator("a[href^='javascript']").count() == 0
    if path != "data_tables":
        seen = opened.page.evaluate("document.body.innerText + [...document.querySelectorAll('input')].map(i => i.value).join(' ')")
        assert NAME in seen or NAME[:20] in seen
