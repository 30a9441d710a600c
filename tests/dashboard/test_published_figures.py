"""The figures of the article come out on the page to their digits, from the curated figures alone and from the replay world."""

import pytest

from tests.shared import needs_shared


def test_the_headline_is_told_apart_into_cached_new_and_generated_tokens(read, curated_lake):
    page = read(curated_lake, "headline")
    assert page.question == "What does “150 M tok/s per MW” count?"
    assert (
        page.answer
        == "96.4 % of the tokens it counts are input read from cache, 2.98 % are new input, and 0.667 % are generated. At that point one user sees 40.9 tok/s."
    )
    assert "96.3527 %" in page.exact
    assert page.chart_words[0].count("96.4 % cached input · 2.98 % new input · 0.667 % generated") == 1


def test_the_headline_is_consistent_with_the_measurement_and_the_pairing_is_said_to_be_inferred(read, curated_lake):
    page = read(curated_lake, "headline")
    assert "187,500 to 225,000 tok/s per GPU" in page.exact
    assert "185,382 tok/s per GPU" in page.exact
    assert "4x GB300: the two agree." in page.text
    assert "1,240 W an accelerator" in page.text
    assert "pairing inferred" in page.text


def test_a_headline_without_a_measured_point_is_not_told_apart(read, curated_lake):
    page = read(curated_lake, "headline")
    assert "MI355X: not told apart" in page.chart_words[0]
    assert "MI355X: not known." in page.text


def test_caveats_stand_beside_the_headline(read, curated_lake):
    assert "A ceiling, not a cruising speed" in read(curated_lake, "headline").text


def test_renting_goes_from_the_naive_multiple_to_the_one_like_for_like(read, curated_lake):
    page = read(curated_lake, "rent_or_own", speed="128")
    assert "B300" in page.answer
    assert "11.1× as much as owning, like for like; the 41.1× of the list's blend compares two different mixes" in page.answer
    assert "busy half the time it is 2.94×" in page.answer
    assert "Accelerators rented, not owned: 5.88×" in page.chart_words[0]
    assert "Token split borrowed from GB300 at 40.9 tok/s per user" in page.text


def test_a_mix_of_the_readers_own_is_priced_by_the_same_formula(read, curated_lake):
    """0.9 x 0.15 + 0.08 x 1.25 + 0.02 x 4.25 = 0.32 USD; owning at 2.26 USD, half busy: 0.038 USD."""
    page = read(curated_lake, "rent_or_own", speed="128", mix="your own", cached="90", new="8", generated="2", busy="50")
    assert "renting costs $0.32 per M tokens and owning $0.038 per M tokens" in page.text
    assert "renting is 8.42×" in page.text
    assert "busy more than 5.94 % of the time" in page.text


def test_the_agents_of_the_launch_are_ranked_at_their_service_level(read, curated_lake):
    page = read(curated_lake, "leaderboard", tier="20 tok/s per user")
    assert "GB300 NVL72 leads with 91,500 agents per MW" in page.answer
    assert "MI355X on DeepSeek V4 Pro (max), reaches 3,550" in page.answer
    assert "MI355X stands at 46.7 % of 4x" in page.text


def test_a_model_page_gathers_listing_offers_facts_and_results(read, curated_lake):
    page = read(curated_lake, "model", model="Muse Spark Open")
    assert "is listed at $1.25 in and $4.25 out per million tokens with an Intelligence Index of 39" in page.answer
    assert "Muse Model License" in page.text
    assert "537 GB" in page.text
    assert "Venice" in page.text
    assert "0.3" in page.text
    assert "not agree" in str([e.label for e in page.app.expander])


@needs_shared
@pytest.mark.slow
def test_the_replay_world_gives_the_scraped_figures(read, world_lake):
    page = read(world_lake, "headline")
    assert page.answer.startswith("96.2 % of the tokens it counts are input read from cache, 3.18 % are new input, and 0.667 % are generated.")
    assert "96.1541 %" in page.exact
    page = read(world_lake, "leaderboard")
    assert "4x MI355X stands at 64 % of 4x" in page.text
    assert "up from 46.7 % until 5 Nov 2026, configured by Artificial Analysis" in page.text
    assert "4x MI355X on Muse Spark Open, reaches 52,000, 59.1 % of 4x GB300 there" in page.answer


@needs_shared
@pytest.mark.slow
def test_costs_at_a_speed_are_those_of_the_marts(read, world_lake):
    page = read(world_lake, "curves", model="Muse Spark Open")
    assert "B300" in page.answer
    assert "MI355X" in page.answer
    cost = [e.proto for e in page.app.get("arrow_data_frame")]
    assert not cost
    for exact in ("0.019 USD at 2.26 USD a GPU-hour, measured", "0.027 USD at 2.26 USD a GPU-hour, measured", "0.076 USD at 1.5 USD a GPU-hour, measured"):
        assert exact in page.exact
    assert "0.022816 USD at 2.26 USD a GPU-hour, interpolated" in page.exact
    rental = read(world_lake, "curves", model="Muse Spark Open", basis="rental")
    assert "0.03573 USD at 4.25 USD a GPU-hour, measured" in rental.exact


@needs_shared
@pytest.mark.slow
def test_the_news_of_the_replay_world_stand_on_the_first_page(read, world_lake):
    page = read(world_lake, since="2026-11-12")
    assert "on GB300 at 20 tok/s: 88,000 agents per MW, configured by NVIDIA; also B300 81,000, MI355X 52,000 by AMD" in page.text
    assert "input price falls from $1.25 to $1.00" in page.text
    assert "6 headlines" in page.answer
