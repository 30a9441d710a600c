import json

import pytest

from pipelines.sources.artificial_analysis.methodology import parse_methodology
from pipelines.sources.base import NoData, Unreadable
from pipelines.validate import schema_failures
from tests.helpers.aa_pages import bundle, flight_page, methodology_page

# Facts of the methodology of June 2026 (inputs, tiers, search) and October 2026 (outputs, throughput, window); words are ours.
JUNE = """
<p>Every simulated agent replays coding trajectories, one turn after another.</p>
<ul><li>Input sequence length: ~5K to ~131K tokens, mean approximately 27K.</li></ul>
<p>Load rises exponentially; a binary search then finds the most agents that hold.</p>
<h3>Tiers</h3>
<p>DeepSeek V4 Pro: 20, 60 and 180 tokens per second (P25) with P95 time to first token 10, 5 and 3 s. gpt-oss-120b: 100, 250, 500 and 2000.</p>
"""
OCTOBER = """
<p>Every simulated agent replays coding trajectories of up to 200 turns.</p>
<p>Inputs: input lengths from 5,000 to 131,000 tokens, mean of 27K. Output: median around 150 tokens, P95 of ~2K tokens.</p>
<p>System throughput is input plus output tokens per second per megawatt of accelerator power. Power is measured at the GPU die and HBM.</p>
<p>In the steady-state window every agent has been active for 30 s.</p>
<table><tr><th>Model</th><th>P25 output speed</th><th>P95 TTFT</th></tr>
<tr><td>DeepSeek V4 Pro</td><td>≥ 20 tok/s</td><td>≤ 10 s</td></tr><tr><td>DeepSeek V4 Pro</td><td>≥ 60 tok/s</td><td>≤ 5 s</td></tr></table>
"""


def read(page):
    parsed = parse_methodology(bundle("methodology", page))
    assert schema_failures(parsed, rows_sound=False) == []
    return parsed.rows["methodologies"][0]


def tiers(row):
    return {model: [(t["p25_tok_s"], t["p95_ttft_s"]) for t in of] for model, of in json.loads(row["tiers"]).items()}


def test_ranges_and_tiers_of_prose_are_read():
    row = read(methodology_page(JUNE))
    assert (row["input_tokens_low"], row["input_tokens_high"], row["input_tokens_mean"]) == (5000, 131000, 27000)
    assert tiers(row) == {"DeepSeek V4 Pro": [(20, 10), (60, 5), (180, 3)], "gpt-oss-120b": [(100, None), (250, None), (500, None), (2000, None)]}
    assert row["unit_counted"] == "agents"
    assert "binary search" in row["search"]
    assert row["workload"].startswith("Every simulated agent")


def test_one_wait_for_all_tiers_counts_for_each():
    row = read(
        methodology_page(
            "<p>Each simulated user sends tokens.</p><h2>Tiers</h2><p>DeepSeek V3.2: 30, 100 and 300 tokens per second, time to first token 15 s.</p>"
        )
    )
    assert tiers(row) == {"DeepSeek V3.2": [(30, 15), (100, 15), (300, 15)]}
    assert row["unit_counted"] == "users"


def test_a_table_of_tiers_and_the_rest_of_the_facts_are_read():
    row = read(methodology_page(OCTOBER))
    assert tiers(row) == {"DeepSeek V4 Pro": [(20, 10), (60, 5)]}
    assert (row["input_tokens_low"], row["input_tokens_high"], row["input_tokens_mean"]) == (5000, 131000, 27000)
    assert (row["output_tokens_median"], row["output_tokens_p95"], row["turns_max"]) == (150, 2000, 200)
    assert row["unit_counted"] == "agents, throughput"
    assert row["window"].startswith("In the steady-state window")
    assert "HBM" in row["power"]


def test_what_the_page_does_not_say_is_missing():
    row = read(methodology_page("<p>Agents send requests and get tokens back, at length, until they are done with what they do.</p>"))
    for column in ("input_tokens_low", "input_tokens_mean", "output_tokens_median", "output_tokens_p95", "turns_max", "tiers", "search", "window", "version"):
        assert row[column] is None


def test_the_version_is_of_what_a_reader_sees():
    plain = read(methodology_page(JUNE))["text_sha256"]
    dressed = JUNE.replace("<p>", '<p class="af71">  ').replace("</ul>", "</ul><script>var build=7</script><style>p{}</style><!-- build 7 -->")
    assert read(methodology_page(dressed, chunk=300))["text_sha256"] == plain
    assert read(methodology_page(JUNE.replace("27K", "28K")))["text_sha256"] != plain


def test_navigation_outside_the_main_part_does_not_count():
    page = methodology_page(JUNE)
    assert read(page.replace(b"<main>", b"<nav>New: AgentPerf phones</nav><main>"))["text_sha256"] == read(page)["text_sha256"]


@pytest.mark.parametrize("body", ["", "<p>Soon.</p>"])
def test_a_page_without_a_methodology_is_no_data(body):
    with pytest.raises(NoData):
        read(methodology_page(body))


def test_another_page_is_no_data():
    with pytest.raises(NoData):
        read(
            flight_page(
                {"a": 1}, title="LLM Leaderboard", body="<p>Many models, their prices in dollars per million tokens and their speeds in tokens per second.</p>"
            )
        )


def test_a_sign_in_page_is_unreadable():
    with pytest.raises(Unreadable):
        read(b"<html><head><title>Just a moment...</title></head><body>AgentPerf tokens tokens tokens</body></html>")
