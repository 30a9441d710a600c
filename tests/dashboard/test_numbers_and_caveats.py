"""How numbers are written, and which caveats stand beside which rows."""

import datetime as dt

import pytest

from dashboard.parts import caveats, numbers
from dashboard.parts.badges import words
from dashboard.parts.html import paragraph, tag, view_link, web_link, write


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (185382, "185,000"),
        (1237, "1,240"),
        (150e6, "150 M"),
        (40.9, "40.9"),
        (0.6673, "0.667"),
        (0.012072, "0.0121"),
        (999.6, "1,000"),
        (2.25e9, "2.25 bn"),
        (0, "0"),
        (-0.5, "−0.5"),
        (96.25, "96.3"),
    ],
)
def test_three_significant_digits_in_human_units(value, shown):
    assert numbers.rounded(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1.25, "$1.25"), (1.0, "$1.00"), (0.019, "$0.019"), (0.2, "$0.20"), (12.3, "$12.30"), (20e6, "$20 M"), (0, "$0"), (0.0155152, "$0.0155")],
)
def test_amounts_of_money(value, shown):
    assert numbers.dollars(value) == shown


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [(1.0, "USD per M tokens", "$1.00 per M tokens"), (0.84, "USD", "$0.84"), (20e6, "USD a year", "$20 M a year"), (3.0, "s", "3 s")],
)
def test_an_amount_of_money_stands_before_what_it_is_for(value, unit, shown):
    assert numbers.text(value, unit) == shown


def test_figures_are_called_by_their_names():
    assert numbers.figure_name("input_usd_mtok") == "input price"
    assert numbers.figure_name("run_state") == "run state"


def test_the_exact_value_shows_on_hover_and_a_missing_one_is_not_published():
    assert 'title="185,382 tok/s per GPU"' in numbers.number(185382.0, "tok/s per GPU")
    assert 'title="0.0000001"' in numbers.number(1e-7)
    assert "not published" in numbers.number(None, "tok/s")
    assert "0" not in numbers.number(None)


@pytest.mark.parametrize(("old", "new", "shown"), [(1.25, 1.0, "−20 %"), (70, 96, "+37.1 %"), (5, 5, "±0 %"), (0, 5, ""), (None, 5, "")])
def test_a_change_has_a_sign(old, new, shown):
    assert numbers.change(old, new) == shown


def caveat(key_pattern, **period):
    return {"key_pattern": key_pattern, "period_from": None, "period_to": None, **period}


@pytest.mark.parametrize(
    ("pattern", "applies"),
    [
        ("metric=throughput_tok_s_mw", True),
        ("metric=throughput*", True),
        ("metric=*", True),
        ("metric=throughput", False),
        ("metric=throughput_tok_s_mw&accelerator=MI355X", True),
        ("metric=throughput_tok_s_mw&accelerator=GB300", False),
        ("accelerator=MI355.", False),
        ("configured_by=*", False),
        ("publication=p", False),
    ],
)
def test_a_caveat_stands_beside_the_rows_its_pattern_fits(pattern, applies):
    row = {"metric": "throughput_tok_s_mw", "accelerator": "MI355X", "configured_by": None, "valid_from": dt.datetime(2026, 10, 23)}
    assert caveats.applies(caveat(pattern), row) is applies


@pytest.mark.parametrize(
    ("starts", "ends", "applies"),
    [(None, None, True), ("2026-10-23", None, True), ("2026-10-24", None, False), (None, "2026-10-22", False), ("2026-10-01", "2026-10-31", True)],
)
def test_a_caveat_holds_in_its_period(starts, ends, applies):
    row = {"metric": "m", "valid_from": dt.datetime(2026, 10, 23, 23)}
    assert caveats.applies(caveat("metric=m", period_from=starts, period_to=ends), row) is applies


@pytest.mark.parametrize(
    ("row", "badges"),
    [
        ({"provenance": "evaluator_measured", "origin": "scraped"}, ["measured by evaluator"]),
        (
            {"provenance": "vendor_submitted", "origin": "scraped", "configured_by": "NVIDIA", "verified_by": "Artificial Analysis"},
            ["submitted by NVIDIA, verified by AA"],
        ),
        ({"provenance": "vendor_reported", "origin": "curated"}, ["reported by vendor", "entered by hand"]),
        ({"provenance": "framework_reported", "origin": "git"}, ["framework's own"]),
        ({"provenance": "interpolated", "origin": "api"}, ["interpolated"]),
        ({"provenance": "derived", "origin": "api"}, ["derived here"]),
    ],
)
def test_the_seven_words(row, badges):
    assert words(row) == badges


def test_texts_are_escaped_and_plain_text_is_never_written_as_markup():
    assert tag("<b>{}</b>", "<i>") == "<b>&lt;i&gt;</b>"
    assert paragraph("a", "", "b", ", c") == '<p class="">a b, c</p>'
    with pytest.raises(TypeError):
        write("<b>text</b>")


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "", None, "//host", "ftp://host/x"])
def test_only_web_addresses_become_links(url):
    assert web_link(url, "page") == "page"


def test_state_in_a_link_is_encoded():
    assert view_link("history", "h", find='a&b="c"') == '<a href="history?find=a%26b%3D%22c%22" target="_self">h</a>'
