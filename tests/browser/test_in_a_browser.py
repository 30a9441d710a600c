"""The dashboard in a real browser: every view, its state in the address, its exports."""

import csv
import io

import pytest

from tests.browser.walking import change_every_control
from tests.dashboard.reader import VIEWS
from tests.shared import needs_shared

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PATHS = ("", *VIEWS[1:])

# How many controls a view has at least on the replay world.
CONTROLS = {
    "": 6,
    "leaderboard": 5,
    "headline": 2,
    "curves": 7,
    "rent_or_own": 11,
    "model": 2,
    "gates": 3,
    "history": 6,
    "sources": 2,
    "data_tables": 3,
}


@pytest.mark.parametrize("path", PATHS)
def test_a_view_opens_without_an_error_and_no_wider_than_the_screen(tab, curated_page, path):
    opened = tab().open(f"{curated_page}/{path}")
    assert opened.said[0].endswith("?")
    for width in (1280, 390):
        opened.page.set_viewport_size({"width": width, "height": 900})
        opened.settle()
        assert opened.page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= width
    assert not opened.errors


@needs_shared
@pytest.mark.parametrize("path", PATHS)
def test_every_control_can_be_changed_and_the_address_then_opens_the_same_view(tab, world_page, path):
    opened = tab().open(f"{world_page}/{path}")
    changed = change_every_control(opened)
    assert len(changed) >= CONTROLS[path]
    again = tab().open(opened.page.url)
    assert again.said == opened.said
    asked = ("SQL", "Tables as of the end of (empty: every version)")  # a question of the box is not part of the address
    assert {k: v for k, v in again.state.items() if k not in asked} == {k: v for k, v in opened.state.items() if k not in asked}
    assert not again.errors


def test_dark_and_light_grounds_have_their_own_colours(tab, curated_page):
    grounds = {}
    for scheme in ("light", "dark"):
        opened = tab(scheme=scheme).open(f"{curated_page}/leaderboard")
        grounds[scheme] = opened.page.evaluate("getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor")
        assert not opened.errors
    assert grounds["light"] == "rgb(255, 253, 249)"
    assert grounds["dark"] == "rgb(23, 22, 20)"


def _choose(opened, label, option):
    box = opened.page.get_by_label(label, exact=False).first
    box.click()
    box.fill(option)
    box.press("Enter")
    opened.settle()


def test_a_chosen_state_stands_in_the_address_and_opens_the_same_view_in_a_fresh_tab(tab, curated_page):
    first = tab().open(f"{curated_page}/rent_or_own")
    _choose(first, "Hardware", "MI355X")
    _choose(first, "One user sees", "254")
    address = first.page.url
    assert "hardware=MI355X" in address
    assert "speed=254" in address
    second = tab().open(address)
    assert second.said == first.said
    assert "MI355X at 254 tok/s" in second.said[1]
    assert not first.errors + second.errors


def test_state_stays_when_a_date_and_a_button_are_chosen(tab, curated_page):
    opened = tab().open(f"{curated_page}/leaderboard?day=2026-07-01")
    assert "61,400 agents per MW" in opened.said[1]
    opened = tab().open(f"{curated_page}/curves?axes=log")
    assert opened.page.get_by_role("radio", name="log").get_attribute("aria-checked") == "true"


def test_the_views_are_one_click_apart(tab, curated_page):
    opened = tab().open(f"{curated_page}/")
    for title, question in (("Leaderboard", "agents per megawatt"), ("Sources", "trusted"), ("Rent or own", "cheaper")):
        opened.page.get_by_role("link", name=title, exact=True).first.click()
        opened.page.wait_for_function("q => document.querySelector('h1.question')?.innerText.includes(q)", arg=question)
        opened.settle()
    assert not opened.errors


def test_a_chart_goes_out_as_csv_and_as_png(tab, curated_page):
    opened = tab().open(f"{curated_page}/headline")
    with opened.page.expect_download() as saved:
        opened.page.get_by_role("button", name="Data as CSV").first.click()
    rows = list(csv.DictReader(io.StringIO(saved.value.path().read_text())))
    assert saved.value.suggested_filename == "megawatch_headline.csv"
    assert {r["lake"] for r in rows} == {"live"}
    assert any(r["kind"] == "generated" and abs(float(r["share"]) - 1237 / 185382) < 1e-9 for r in rows)
    opened.page.get_by_test_id("stVegaLiteChart").first.hover()
    with opened.page.expect_download() as saved:
        opened.page.get_by_role("button", name="Download as PNG").first.click()
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")
    assert not opened.errors


def test_a_number_leads_to_its_history_and_to_its_snapshot(tab, curated_page):
    opened = tab().open(f"{curated_page}/headline")
    opened.page.get_by_role("link", name="history", exact=True).first.click()
    opened.page.wait_for_function("document.querySelector('h1.question')?.innerText.includes('get here')")
    opened.settle()
    assert "stands at 150 M tok/s per MW since 23 Oct 2026" in opened.said[1]
    opened.page.get_by_role("link", name="snapshot", exact=True).first.click()
    opened.page.wait_for_function("document.querySelector('h1.question')?.innerText.includes('trusted')")
    opened.settle()
    assert "SHA-256" in opened.page.inner_text("[data-testid=stMain]")
    assert not opened.errors


def test_every_chart_and_table_has_words_for_a_screen_reader(tab, curated_page):
    opened = tab().open(f"{curated_page}/headline")
    assert opened.page.locator("table.facts caption").count() == opened.page.locator("table.facts").count() > 0
    assert opened.page.locator("table.facts th[scope=col]").count() > 3
    opened.page.get_by_role("button", name="Fullscreen: Bars of throughput per megawatt").wait_for(state="attached", timeout=20_000)
    assert opened.page.locator("h1").count() == 1
