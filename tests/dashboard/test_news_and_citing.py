"""News: results of one happening in one line, and a way to each history. Citing: what a figure may be used for."""

import datetime as dt
import re
from urllib.parse import parse_qs, urlsplit

import pytest

from dashboard import data
from dashboard.parts import citing, entities, news
from dashboard.parts.numbers import counted
from tests.shared import needs_shared


def event(number, accelerator, value, by, **more):
    system = f"4x {accelerator}"
    return {
        "event_id": number,
        "kind": "metric_published",
        "severity": "headline",
        "source": "artificial_analysis",
        "model": "Muse Spark Open",
        "entity": system,
        "accelerator": accelerator,
        "key": f"Muse Spark Open|{system}|20.0|10.0",
        "field": "agents_per_mw",
        "old_value": None,
        "new_value": str(value),
        "co_changed": None,
        "detected_at": dt.datetime(2026, 11, 19, 23),
        "summary": f"First agents per MW for Muse Spark Open on {accelerator} at 20 tok/s: {value:,.0f} agents per MW, configured by {by}",
        "source_url": "https://artificialanalysis.ai/x",
        "provisional": False,
        **more,
    }


def lines(markup):
    return [" ".join(re.sub(r"<[^>]+>", "", entry).split()) for entry in markup.split("</li>")[:-1]]


RESULTS = [event("1", "B300", 81000.0, "NVIDIA"), event("2", "GB300", 88000.0, "NVIDIA"), event("3", "MI355X", 52000.0, "AMD")]


def test_results_published_together_stand_in_one_line_the_greatest_first():
    (line,) = lines(news.listed(RESULTS))
    assert "on GB300 at 20 tok/s: 88,000 agents per MW, configured by NVIDIA; also B300 81,000, MI355X 52,000 by AMD" in line


@pytest.mark.parametrize(
    "other",
    [
        event("4", "B200", 9000.0, "NVIDIA", key="Muse Spark Open|4x B200|60.0|5.0"),
        event("4", "B200", 9000.0, "NVIDIA", model="DeepSeek V4 Pro (max)", key="DeepSeek V4 Pro (max)|4x B200|20.0|10.0"),
        event("4", "B200", 9000.0, "NVIDIA", detected_at=dt.datetime(2026, 11, 18, 23)),
        event("4", "B200", 9000.0, "NVIDIA", old_value="7000.0", kind="value_changed"),
    ],
    ids=["another service level", "another model", "another day", "a change"],
)
def test_a_result_of_another_happening_stands_alone(other):
    assert len(lines(news.listed([*RESULTS, other]))) == 2


def test_a_change_shows_old_and_new_with_their_unit():
    price = event("5", None, 1.0, "", field="input_usd_mtok", kind="price_changed", old_value="1.25", co_changed=["cached_input_usd_mtok $0.15 → $0.12"])
    (line,) = lines(news.listed([price]))
    assert "input price: $1.25 → $1.00" in line
    assert "with it cached input usd mtok $0.15 → $0.12" in line


def test_news_seen_once_are_marked_as_provisional():
    assert "provisional until seen twice" in news.listed([event("1", "B300", 81000.0, "NVIDIA", provisional=True)])


def test_news_escape_what_they_are_told():
    assert "<img" not in news.listed([event("1", "<img src=x>", 1.0, "<img src=x>"), event("2", "<img src=y>", 2.0, "<img src=y>")])


@needs_shared
@pytest.mark.slow
def test_every_link_of_the_news_to_a_history_finds_it(world_lake):
    data.use(world_lake)
    found = data.rows("SELECT * FROM change_events")
    kinds = {kind.title: table for table, kind in entities.KINDS.items()}
    linked = {e["kind"] for e in found if _asked(e)}
    for e in found:
        if _asked(e):
            asked = _asked(e)
            assert entities.search(kinds[asked["kind"][0]], asked["find"][0]), (e["kind"], asked)
    assert linked >= {
        "metric_published",
        "price_changed",
        "gate_filled",
        "pull_request_merged",
        "configuration_added",
        "first_results",
        "configured_by_changed",
    }


def _asked(e):
    link = re.search(r'href="([^"]*)"', news.history_link(e))
    return parse_qs(urlsplit(link[1].replace("&amp;", "&")).query) if link else None


@pytest.mark.parametrize(
    ("row", "use"),
    [
        ({"provenance": "evaluator_measured", "origin": "scraped"}, "measured"),
        ({"provenance": "vendor_submitted", "origin": "scraped"}, "measured"),
        ({"provenance": "vendor_reported", "origin": "scraped"}, "claimed"),
        ({"provenance": "framework_reported", "origin": "git"}, "claimed"),
        ({"provenance": "interpolated", "origin": "api"}, "reckoned"),
        ({"provenance": "derived", "origin": "curated"}, "reckoned"),
        ({"provenance": "evaluator_measured", "origin": "curated"}, "copied"),
        ({"provenance": None}, "told"),
    ],
)
def test_what_a_figure_may_be_used_for_goes_by_who_stands_behind_it(row, use):
    assert citing.use(row) == use


@pytest.mark.parametrize("view", ["leaderboard", "headline", "rent_or_own", "history"])
def test_a_view_with_figures_tells_which_can_be_shown_and_how_to_cite_them(read, curated_lake, view):
    page = read(curated_lake, view)
    assert "Which of these can go on a slide, and how are they cited?" in [e.label for e in page.app.expander]
    line = page.app.code[0].value
    assert "https://" in line
    assert "(Megawatch, data to 24 Oct 2026 23:00 UTC)" in line


@needs_shared
@pytest.mark.slow
def test_a_replay_says_that_none_of_its_figures_is_for_a_slide(read, world_lake):
    page = read(world_lake, "leaderboard")
    assert "None of them while this is a replay" in page.text
    assert "replay data, not for citing" in page.app.code[0].value


@needs_shared
@pytest.mark.slow
def test_the_first_page_says_in_a_line_how_far_vendors_are_apart_and_whether_owning_is_cheaper(read, world_lake):
    page = read(world_lake)
    assert "How far is AMD from NVIDIA? 4x MI355X stands at 64 % of 4x" in page.text
    assert "Is owning cheaper than renting? On B300 at 128 tok/s per user renting costs 9.52× as much as owning, like for like" in page.text
    assert "measured by SGLang, since 22 Oct 2026; headline by Artificial Analysis, measured 22 Oct 2026; the two agree at 1,250 to 1,500 W" in page.text


@pytest.mark.parametrize(("count", "said"), [(0, "no headline"), (1, "1 headline"), (6, "6 headlines"), (1234, "1,234 headlines")])
def test_a_count_stands_with_its_noun(count, said):
    assert counted(count, "headline") == said
