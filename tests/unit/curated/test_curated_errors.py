"""What a person is told about a file that is not right."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipelines.sources.base import Unreadable
from pipelines.sources.curated.publication import parse_publication
from tests.unit.curated.publications import AT, HEADER, RESULT, problem, problems, rows


def test_a_misspelt_field_names_file_line_field_the_nearest_name_and_all_names():
    line, what = problem(HEADER + RESULT.replace("    value: 6900", "    value: 6900\n    acelerators: 8"))
    assert line == 10
    assert what.startswith("agentperf_results[1].acelerators: there is no field acelerators; did you mean accelerators? There is: ")
    assert "configured_by" in what and "slo_p25_tok_s" in what


def test_a_misspelt_header_field_and_section_are_told_with_what_there_is():
    found = problems(HEADER + "publishr: X\nagentperf_result:\n  - model: M\n" + RESULT)
    assert [line for line, _ in found] == [5, 6]
    assert "did you mean publisher?" in found[0][1]
    assert "did you mean agentperf_results?" in found[1][1]


def test_every_problem_of_a_file_is_told_at_once_in_the_order_of_its_lines():
    text = HEADER.replace("provenance: vendor_reported", "provenance: rumour") + RESULT.replace("6900", "many").replace("agents_per_mw", "agents_per_megawatt")
    found = problems(text)
    assert [line for line, _ in found] == [4, 8, 9]
    assert "'rumour' is not one of" in found[0][1]
    assert "'agents_per_megawatt' is not one of" in found[1][1]
    assert "'many' is no number" in found[2][1]


def test_a_message_says_what_became_of_the_file_and_what_to_do():
    with pytest.raises(Unreadable, match=r"^some-post\.yaml was not taken in \(1 problem\); the figures it gave before stay\. Mend it and refresh:\n"):
        rows(HEADER + RESULT.replace("agents/MW", "agents/GW"))


def test_missing_fields_are_named_with_what_they_are_and_the_line_of_their_entry():
    line, what = problem(HEADER + RESULT.replace("    system: 8x B300\n", ""))
    assert (line, what) == (6, "agentperf_results[1].system: is missing (system as the source names it)")


def test_a_missing_header_field_is_told():
    assert problem(HEADER.replace("publisher: A Publisher\n", "") + RESULT) == (1, "publisher: is missing (who published it)")


def test_an_unknown_unit_is_refused_with_the_units_of_its_metric():
    line, what = problem(HEADER + RESULT.replace("agents/MW", "agents/GW"))
    assert line == 10
    assert "unit of agents_per_mw" in what and "There is: agents/MW, agents/kW" in what


def test_a_unit_of_another_metric_is_refused():
    assert "unit of agents_per_mw" in problem(HEADER + RESULT.replace("unit: agents/MW", "unit: tok/s/MW"))[1]


@pytest.mark.parametrize(
    ("value", "unit"),
    [("35.8", "agents/MW"), ("61354", "agents/kW"), ("0", "agents/MW"), ("-5", "agents/MW")],
)
def test_a_figure_per_kw_entered_as_per_mw_or_the_other_way_is_refused(value, unit):
    line, what = problem(HEADER + RESULT.replace("6900", value).replace("agents/MW", unit))
    assert line == 6
    assert "agents_per_mw is not possible" in what and "check the unit" in what


@pytest.mark.parametrize(
    ("metric", "value", "unit"),
    [
        ("throughput_tok_s_mw", "150000", "tok/s/MW"),
        ("throughput_tok_s_mw", "150", "M tok/s/kW"),
        ("input_tok_s_gpu", "530000000", "tok/s/GPU"),
        ("output_tok_s_gpu", "4000000", "tok/s/GPU"),
        ("watts_per_accelerator", "1.2", "W"),
        ("watts_per_accelerator", "1200", "kW"),
        ("agents_per_accelerator", "61354", "agents/GPU"),
    ],
)
def test_figures_no_hardware_gives_are_refused(metric, value, unit):
    text = HEADER + RESULT.replace("agents_per_mw", metric).replace("6900", value).replace("agents/MW", unit)
    assert f"{metric} is not possible" in problem(text)[1]


def test_watts_implied_by_two_figures_outside_300_to_1700_are_refused_and_both_lines_named():
    two = RESULT + RESULT.replace("agentperf_results:\n", "").replace("agents_per_mw", "agents_per_accelerator").replace("6900", "57.5").replace(
        "agents/MW", "agents/GPU"
    )
    line, what = problem(HEADER + two)
    assert line == 11
    assert what == "agentperf_results[2]: with agentperf_results[1] (line 6) it implies 8,333 W an accelerator, outside 300 to 1,700 W; check both units"


def test_agents_of_a_system_that_do_not_divide_into_agents_per_accelerator_are_refused():
    whole = RESULT.replace("agents_per_mw", "max_agents").replace("6900", "1840").replace("unit: agents/MW", "unit: agents\n    accelerators: 32")
    each = (
        RESULT.replace("agentperf_results:\n", "").replace("agents_per_mw", "agents_per_accelerator").replace("6900", "5.75").replace("agents/MW", "agents/GPU")
    )
    assert "1,840 agents on 32 accelerators are 57.5 each, not 5.75" in problem(HEADER + whole + each)[1]


POINT = """\
operating_points:
  - model: Some Model
    accelerator: GB300
    scenario: aa_agentperf
    concurrency: 160
    total_tok_s_gpu: 185382
    cache_hit_kind: reported
"""


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("cache_hit_ratio: 97", "97 is more than 1 (0 to 1); is it in another unit?"),
        ("cache_hit_ratio_low: 0.98\n    cache_hit_ratio: 0.97", "the hit rate is not between its ends"),
        ("output_tok_s_gpu: 200000", "output_tok_s_gpu 200000 is more than 100000; check the unit"),
        ("ttft_s: 760", "ttft_s 760 is more than 600; check the unit"),
        ("concurrency_: 1", "there is no field concurrency_; did you mean concurrency?"),
        ("tp: 0", "0 is less than 1"),
        ("measured_on: 2026-06", "'2026-06' is no date; write it as 2026-10-23, and vague words for it in stated_date"),
        ("measured_on: 2026-10-22 10:00:00", "is no date"),
        ("nodes: 1.0", "1.0 is no whole number"),
        ("verified: yes", "'yes' is no truth value (true or false)"),
        ("framework: 5", "5 is no text; put it in quotes"),
        ("flags: short_run", "'short_run' is no list of texts"),
        ("flags: []", "has no value"),
        ("flags: [short_run, 5]", "a list is no list of texts; write [one, other], numbers in quotes"),
        ("interactivity_tok_s: .nan", "nan is no number"),
        ("interactivity_tok_s: .inf", "inf is no number"),
        ("interactivity_tok_s: '40.9'", "'40.9' is no number"),
        ("interactivity_tok_s: true", "True is no number"),
        ("interactivity_tok_s:", "has no value; what is not published is left out, field and all"),
        ("framework: ''", "has no value; what is not published is left out"),
        ("url: publisher.example/post", "is no web address; write it whole, from https:// on"),
        ("url: https://[broken/post", "is no web address"),
        ("framework: [a, b]", "a list is no text"),
        ("framework: {a: b}", "an entry is no text"),
        ('framework: "a\\0b"', "holds characters that cannot be printed"),
    ],
)
def test_a_wrong_value_is_refused_at_its_line_and_never_turned_into_another(line, why):
    found = problems(HEADER + POINT + f"    {line}\n")
    assert any(why in what for _, what in found), found
    assert all(at >= 6 for at, _ in found)


def test_a_hit_rate_needs_someone_who_says_so():
    assert "needs cache_hit_kind" in problem(HEADER + POINT.replace("    cache_hit_kind: reported\n", "    cache_hit_ratio: 0.97\n"))[1]


@pytest.mark.parametrize(
    ("section", "why"),
    [
        (
            "prices:\n  - {item: B300, component: gpu_hour, seller: S, price_basis: rental, price: 2.26, low: 2, high: 3, unit: USD/GPU-hour}",
            "give either price, or low and high",
        ),
        ("prices:\n  - {item: B300, component: gpu_hour, seller: S, price_basis: rental, low: 2, unit: USD/GPU-hour}", "a range has low and high"),
        (
            "prices:\n  - {item: B300, component: gpu_hour, seller: S, price_basis: rental, low: 5.9, high: 3.5, unit: USD/GPU-hour}",
            "the high price 3.5 is less than the low one 5.9",
        ),
        ("prices:\n  - {item: B300, component: gpu_hour, seller: S, price_basis: rental, price: 2260, unit: USD/GPU-hour}", "no possible price in usd_gpu_h"),
        ("prices:\n  - {item: B300, component: gpu_hour, seller: S, price_basis: rental, price: 2.26, unit: EUR/GPU-hour}", "did you mean USD/GPU-hour?"),
        ("prices:\n  - {item: M, component: markup, seller: S, price_basis: router, price: 25, unit: ratio}", "no possible price in ratio"),
        ("accelerator_power:\n  - {accelerator: GB300, value: 5, unit: kW, power_basis: accelerator_measured}", "outside 0.3 to 1.7 kW"),
        ("accelerator_power:\n  - {accelerator: GB300, value: 1.25, unit: MW, power_basis: accelerator_measured}", "there is no unit of power MW"),
        (
            "stated_costs:\n  - {model: M, accelerator: B300, interactivity_tok_s: 128, usd_mtok: 19, usd_gpu_h: 2.26, cost_of: total, price_basis: owning}",
            "implies 33.04 tok/s/GPU",
        ),
        ("published_subsets:\n  - {publication_name: P, model: M, published_points: 43, measured_points: 5}", "43 points published of 5 measured"),
        ("published_subsets:\n  - {publication_name: P, model: M, frontier_coverage_ratio: 81}", "81 is more than 1"),
        ("model_facts:\n  - {model: M, fact: weights, value: 1.65, text: Size}", "a number and its unit go together"),
        ("models:\n  - {name: M, cache_discount_ratio: 88}", "88 is more than 1"),
        ("caveats:\n  - {table: agentperf_result, rows: {model: M}, text: T}", "did you mean agentperf_results?"),
        ("caveats:\n  - {table: agentperf_results, rows: {modle: M}, text: T}", "did you mean model?"),
        ("caveats:\n  - {table: agentperf_results, rows: {value: M}, text: T}", "there is no text column of agentperf_results value"),
        ("caveats:\n  - {table: agentperf_results, rows: {model: a&b=c}, text: T}", "may not hold & or ="),
        ("caveats:\n  - {table: agentperf_results, rows: {}, text: T}", "no fields of texts"),
        ("methodologies:\n  - {benchmark: B, tiers: [{model: M, p25: 20}]}", "there is no field p25. There is: model, p25_tok_s, p95_ttft_s"),
        ("agentperf_results: none", "must be a list of entries"),
        ("agentperf_results: [none]", "must be an entry of fields"),
    ],
)
def test_what_does_not_fit_in_a_section_is_told_in_words(section, why):
    found = problems(f"{HEADER}{section}\n")
    assert any(why in what for _, what in found), found
    assert all(line >= 5 for line, _ in found)


def test_a_default_that_no_section_of_the_file_knows_is_refused():
    line, what = problem(HEADER + "defaults:\n  seller: S\n" + RESULT)
    assert line == 6 and what.startswith("defaults.seller: there is no field seller")


def test_a_wrong_default_is_told_once_at_its_own_line():
    two = RESULT + RESULT.replace("agentperf_results:\n", "").replace("8x B300", "8x H200")
    line, what = problem(HEADER + "defaults:\n  accelerators: eight\n" + two)
    assert line == 6 and what.startswith("defaults.accelerators: 'eight' is no whole number")


def test_the_same_figure_twice_is_refused_and_both_lines_named():
    line, what = problem(HEADER + RESULT + RESULT.replace("agentperf_results:\n", "").replace("6900", "7000"))
    assert line == 11
    assert what.startswith("agentperf_results[2]: is the same figure as agentperf_results[1] (line 6), of the same date")


def test_a_key_given_twice_is_refused_at_its_line():
    line, what = problem(HEADER + RESULT + "    value: 7000\n")
    assert line == 11 and what == 'found duplicate key "value"'


def test_a_figure_dated_after_its_publication_is_refused():
    line, what = problem(HEADER + RESULT + "    date: 2026-10-24\n")
    assert line == 11 and "2026-10-24 is later than published, 2026-10-23" in what


def test_a_figure_that_ends_before_it_begins_is_refused():
    assert problem(HEADER + RESULT + "    until: 2026-10-23\n") == (11, "agentperf_results[1].until: 2026-10-23 is not after 2026-10-23")


def test_a_publication_of_the_future_is_refused():
    line, what = problem(HEADER.replace("2026-10-23", "2026-12-01") + RESULT)
    assert (line, what) == (3, "published: 2026-12-01 is later than the day of this reading, 2026-11-30")


def test_a_publication_date_that_cannot_be_told_at_a_glance_is_refused():
    found = problems(HEADER.replace("published: 2026-10-23", '"published": 2026-10-23') + RESULT)
    assert found == [(3, "published: write it on a line of its own, as published: 2026-10-23")]


def test_a_file_without_figures_says_nothing():
    assert "says nothing: add at least one section" in problem(HEADER)[1]


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        (HEADER + "agentperf_results:\n  - model: [unclosed\n", 7, "not readable as YAML"),
        (HEADER + "x: 'open\n", 6, "not readable as YAML"),
        ("published: 2026-13-45\n", 1, "2026-13-45"),
        (HEADER + "---\n" + HEADER, 5, "not readable as YAML"),
        (HEADER + "a: &x 1\nb: *x\n", 6, "references (*name) are not used here"),
        (HEADER + "prices:\n  - {<<: {item: B300}}\n", 6, "fields merged in by << (item) are not used here"),
        (HEADER.replace("A Publisher", "!py A"), 1, "tags (!py) are not used here"),
        (HEADER + "prices: !!set\n", 5, "are not used here"),
        (HEADER + "? {a: b}\n: c\n", 5, "a field's name must be a text"),
        (HEADER.replace("A Publisher", "="), 1, "'=' means something else in YAML; put it in quotes"),
        ("- a list\n", 1, "holds no fields"),
        ("just text\n", 1, "holds no fields"),
        ("", 1, "holds no fields"),
        (b"publisher: A\npublisher2: \xff\xfe\n", 2, "not UTF-8 text"),
        (b"publisher: A\x00B\n", 1, "not readable as YAML"),
        ("a: " + "[" * 5000 + "]" * 5000, 1, "not readable as YAML"),
        ("# " + "x" * 1_000_001, 1, "at most 1,000,000"),
    ],
)
def test_bytes_that_are_no_publication_are_refused_in_words(text, line, why):
    found = problems(text)
    assert any(at == line and why in what for at, what in found), found


@pytest.mark.parametrize("file", ["Some Post.yaml", "../some-post.yaml", "-x.yaml", "some_post.yaml"])
def test_a_file_name_that_is_no_publication_name_is_refused(file):
    assert "the file's name is the publication's name" in problem(HEADER + RESULT, file=file)[1]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_a_damaged_file_is_refused_or_read_and_never_anything_else(data):
    text = HEADER + RESULT + POINT
    at = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 12))
    put = data.draw(st.text(st.sampled_from("ab:-#{}[]&*!|>'\"%@`,?\n\t 019.~<=\\\x7fé"), max_size=6))
    try:
        tables, _ = parse_publication((text[:at] + put + text[at + cut :]).encode(), "some-post.yaml", AT)
    except Unreadable as refused:
        assert "some-post.yaml, line " in str(refused)
    else:
        assert sum(map(len, tables.values())) >= 1
