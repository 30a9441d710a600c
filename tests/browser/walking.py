"""A reader who changes every control of a view, one after the other."""

from __future__ import annotations

DAY = "20261101"
WORDS = "MI355X"


def change_every_control(tab):
    """Open what is folded away and give every control another value, those too that come up meanwhile; the labels of all of them."""
    changed = []
    for folded in ("stExpander", "stPopover"):
        for n in range(tab.page.get_by_test_id(folded).count()):
            tab.page.get_by_test_id(folded).nth(n).locator("button, summary").first.click()
    tab.settle()
    while control := _unchanged(tab.page, changed):
        kind, place, label = control
        found = tab.page.get_by_test_id(kind).nth(place)
        found.scroll_into_view_if_needed()
        CHANGES[kind](tab.page, found)
        tab.settle()
        assert tab.page.get_by_test_id("stException").count() == 0, f"{label} was changed"
        assert not tab.errors, f"{label} was changed"
        assert tab.said[0].endswith("?")
        changed.append(label)
    return changed


def _unchanged(page, changed):
    for kind in CHANGES:
        found = page.get_by_test_id(kind)
        for n in range(found.count()):
            label = found.nth(n).get_by_test_id("stWidgetLabel").first.inner_text()
            if label not in changed:
                return kind, n, label
    return None


def _choose(page, control):
    now = control.locator("input").input_value()
    control.locator("input").focus()
    page.wait_for_timeout(100)  # a list that is open closes when the page scrolls
    page.keyboard.press("ArrowDown")
    options = page.get_by_role("option")
    options.first.wait_for(timeout=5_000)
    other = next((n for n, text in enumerate(options.all_inner_texts()) if text.strip() != now), None)
    if other is None:
        page.keyboard.press("Escape")
    else:
        options.nth(other).click()


def _pick_day(page, control):
    control.get_by_role("spinbutton").first.click()
    page.keyboard.type(DAY, delay=20)
    for _ in ("out of the day", "out of the field"):  # a day counts once the field is left
        page.keyboard.press("Tab")


def _press(page, control):
    other = control.locator("[role=radio][aria-checked=false]")
    if other.count():
        other.last.click()


def _slide(page, control):
    control.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")


def _write(page, control):
    control.locator("input").fill("5" if control.locator("input[type=number]").count() else WORDS)
    control.locator("input").press("Enter")


def _ask(page, control):
    control.locator("textarea").fill("SELECT 42 AS answer")
    page.get_by_role("button", name="Ask").click()


CHANGES = {
    "stSelectbox": _choose,
    "stDateInput": _pick_day,
    "stButtonGroup": _press,
    "stSlider": _slide,
    "stNumberInput": _write,
    "stTextInput": _write,
    "stTextArea": _ask,
}
