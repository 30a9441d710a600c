import datetime as dt
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.sources.artificial_analysis.numbers import Figure, Unsure, read_date, read_figure, read_flag, read_number, read_ratio, read_text, read_whole


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (61354, 61354.0),
        (0, 0.0),
        ("1.2K", 1200.0),
        ("2.3M", 2300000.0),
        ("150M", 150e6),
        ("150 million", 150e6),
        ("816B", 816e9),
        ("61,354", 61354.0),
        ("1,234,567.5", 1234567.5),
        ("61 354", 61354.0),
        ("$1.25", 1.25),
        (".5", 0.5),
        ("-3.5", -3.5),
        ("1.5e8", 150e6),
    ],
)
def test_a_number_is_read_right(raw, value):
    assert read_number(raw) == value


@pytest.mark.parametrize("raw", [None, "", "—", "–", "-", "N/A", "n/a", "null", "TBD", "Coming soon"])
def test_a_missing_number_is_none_and_never_zero(raw):
    assert read_number(raw) is None


@pytest.mark.parametrize(
    "raw",
    ["1,5", "1.234,5", "0,123", "12,34,567", "150m", "1.2.3", "12 34", "2x", "5 %", "57.5 agents", "1e9999", "NaN", "inf", "0x10", True, [1], {}, "9" * 70],
)
def test_a_number_that_could_mean_two_things_or_none_is_refused(raw):
    with pytest.raises(Unsure):
        read_number(raw)


@pytest.mark.parametrize("raw", [math.nan, math.inf, -math.inf, 10**400])
def test_a_number_that_is_not_finite_is_refused(raw):
    with pytest.raises(Unsure):
        read_number(raw)


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=0, max_value=1e15), st.integers(0, 3))
def test_a_number_written_in_english_is_read_as_the_number(value, decimals):
    text = f"{value:,.{decimals}f}"
    assert read_number(text) == float(text.replace(",", ""))


@given(st.text(max_size=30))
def test_any_text_is_a_number_missing_or_refused(text):
    try:
        value = read_number(text)
    except Unsure:
        return
    assert value is None or math.isfinite(value)


@pytest.mark.parametrize(("raw", "qualifier"), [("~70M", "about"), ("≈ 70M", "about"), ("about 70M", "about"), ("up to 70M", "up_to"), ("70M", "exact")])
def test_a_figure_carries_how_it_is_stated(raw, qualifier):
    assert read_figure(raw) == Figure(70e6, qualifier)


def test_a_number_that_is_only_about_so_is_no_exact_number():
    with pytest.raises(Unsure):
        read_number("~70M")


def test_a_whole_number_has_no_fraction():
    assert read_whole(64000.0) == 64000
    with pytest.raises(Unsure):
        read_whole(57.5)


def test_a_share_is_a_fraction_or_says_percent():
    assert read_ratio(0.88) == 0.88
    assert read_ratio("88 %") == 0.88
    with pytest.raises(Unsure):
        read_ratio(88)


@pytest.mark.parametrize("raw", ["2026-06-10", "2026-06-10T12:00:00Z", "2026-06-10T12:00:00.123+00:00", "June 10, 2026", "10 Jun 2026"])
def test_a_day_is_read(raw):
    assert read_date(raw) == dt.date(2026, 6, 10)


@pytest.mark.parametrize("raw", ["2026-06", "06/10/2026", "yesterday", 20260610, "2026-13-01"])
def test_what_is_no_sure_day_is_refused(raw):
    with pytest.raises(Unsure):
        read_date(raw)


def test_flags_are_true_or_false_and_numbers_are_neither():
    assert read_flag(True) is True
    assert read_flag("false") is False
    assert read_flag(None) is None
    with pytest.raises(Unsure):
        read_flag(1)


def test_a_text_is_trimmed_and_a_number_is_no_text():
    assert read_text("  GB300   NVL72 ") == "GB300 NVL72"
    assert read_text("—") is None
    with pytest.raises(Unsure):
        read_text(4)
