"""What a right file becomes: units, defaults, identities, series."""

import datetime as dt
import hashlib
import json

import pytest

from pipelines.schema import content_id, frame
from pipelines.sources.curated.publication import parse_publication
from pipelines.sources.curated.sections import SECTIONS
from pipelines.tables import TABLES
from tests.unit.curated.publications import HEADER, RESULT, rows


def result(**changes):
    text = RESULT
    for old, new in changes.items():
        text = text.replace(*{"value": ("6900", new), "unit": ("agents/MW", new), "metric": ("agents_per_mw", new), "system": ("8x B300", new)}[old])
    (record,) = rows(HEADER + text)["agentperf_results"]
    return record


@pytest.mark.parametrize(
    ("metric", "value", "unit", "turned"),
    [
        ("agents_per_mw", "35.8", "agents/kW", 35800.0),
        ("agents_per_mw", "6.9", "agents/kW", 6900.0),
        ("agents_per_mw", "1.8", "agents/kW", 1800.0),
        ("throughput_tok_s_mw", "150", "M tok/s/MW", 150e6),
        ("throughput_tok_s_mw", "150_000", "tokens/s/kW", 150e6),
        ("input_tok_s_gpu", "530_000_000", "tokens/h/GPU", 530e6 / 3600),
        ("output_tok_s_gpu", "4_000_000", "tok/h/GPU", 4e6 / 3600),
        ("watts_per_accelerator", "1.2", "kW", 1200.0),
        ("agents_per_accelerator", "57.5", "agents/GPU", 57.5),
    ],
)
def test_a_figure_is_turned_into_its_metrics_unit_and_kept_as_published(metric, value, unit, turned):
    record = result(metric=metric, value=value, unit=unit)
    assert record["value"] == turned
    assert json.loads(record["extra"])["published"] == {"value": float(value), "unit": unit}


def test_power_of_several_accelerators_becomes_power_of_one_and_is_kept_as_published():
    text = HEADER + "accelerator_power:\n  - {accelerator: gb300, value: 5, high: 6, unit: kW, accelerators: 4, power_basis: accelerator_measured}\n"
    (record,) = rows(text)["accelerator_power"]
    assert (record["accelerator"], record["vendor"], record["kw"], record["kw_high"]) == ("GB300", "NVIDIA", 1.25, 1.5)
    assert json.loads(record["extra"]) == {"published": {"value": 5.0, "high": 6.0, "accelerators": 4, "unit": "kW"}}


def test_a_price_has_both_ends_and_a_percentage_becomes_a_ratio():
    text = HEADER + (
        "defaults: {seller: S, price_basis: router}\nprices:\n  - {item: M, component: markup, price: 25, unit: percent}\n"
        "  - {item: b200, component: gpu_hour, low: 3.50, high: 5.90, unit: USD/GPU-hour}\n"
    )
    markup, hour = rows(text)["prices"]
    assert (markup["low"], markup["high"], markup["unit"]) == (0.25, 0.25, "ratio")
    assert (hour["item"], hour["vendor"], hour["low"], hour["high"], hour["unit"]) == ("B200", "NVIDIA", 3.5, 5.9, "usd_gpu_h")


def test_a_price_of_zero_is_a_price():
    (markup,) = rows(HEADER + "prices:\n  - {item: M, component: markup, seller: S, price_basis: router, price: 0, unit: percent}\n")["prices"]
    assert (markup["low"], markup["high"]) == (0.0, 0.0)


def test_every_row_says_who_published_it_where_when_and_in_which_file():
    record = result()
    want = {
        "source": "curated",
        "origin": "curated",
        "publication": "some-post",
        "publisher": "A Publisher",
        "source_url": "https://publisher.example/post",
        "provenance": "vendor_reported",
        "dated_from": dt.datetime(2026, 10, 23),
        "dated_to": None,
        "date_source": "published",
        "reported_via": None,
        "qualifier": None,
    }
    assert {k: record[k] for k in want} == want


def test_the_headers_say_stands_for_every_entry_and_an_entrys_own_wins():
    header = HEADER + "via: a magazine\ninterest: sells chips\nstated_date: autumn\n"
    own = (
        RESULT.replace("agentperf_results:\n", "").replace("8x B300", "8x H200")
        + "    via: a reader\n    url: https://reader.example/\n    provenance: evaluator_measured\n"
    )
    first, second = rows(header + RESULT + own)["agentperf_results"]
    assert (first["reported_via"], first["publisher_interest"], first["stated_date"]) == ("a magazine", "sells chips", "autumn")
    assert (second["reported_via"], second["source_url"], second["provenance"]) == ("a reader", "https://reader.example/", "evaluator_measured")


def test_defaults_stand_for_entries_that_have_the_field_and_do_not_give_it():
    text = HEADER + (
        "defaults: {model: Some Model, qualifier: about}\nagentperf_results:\n  - {system: 8x B300, metric: agents_per_mw, value: 6900, unit: agents/MW}\n"
        "  - {model: Other, system: 8x B300, metric: agents_per_mw, value: 6900, unit: agents/MW, qualifier: exact}\n"
        "caveats:\n  - {table: agentperf_results, rows: {model: Other}, text: T}\n"
    )
    first, second = rows(text)["agentperf_results"]
    assert (first["model"], first["qualifier"], second["model"], second["qualifier"]) == ("Some Model", "about", "Other", "exact")
    assert rows(text)["caveats"][0]["qualifier"] is None


def test_the_accelerator_is_told_from_the_system_by_exact_alias_or_as_given():
    assert (result(system="GB300 rack")["accelerator"], result(system="GB300 rack")["vendor"]) == ("GB300", "NVIDIA")
    unknown = result(system="GB300 in a shed")
    assert (unknown["accelerator"], unknown["vendor"]) == (None, None)
    text = HEADER + RESULT.replace("8x B300", "GB300 in a shed\n    accelerator: gb300")
    assert rows(text)["agentperf_results"][0]["accelerator"] == "GB300"


def test_an_accelerator_the_reference_lacks_is_reported_and_stays_as_written():
    text = HEADER + "accelerator_power:\n  - {accelerator: Z900, value: 900, unit: W, power_basis: accelerator_measured}\n" + RESULT.replace("8x B300", "a box")
    tables, unmatched = parse_publication(text.encode(), "some-post.yaml", dt.datetime(2026, 11, 1))
    assert unmatched == ["Z900", "a box"]
    assert tables["accelerator_power"][0]["accelerator"] == "Z900"


def test_text_over_several_lines_is_one_line_and_a_note_is_kept():
    text = HEADER + RESULT + "    note: >\n      first\n      second\n"
    assert json.loads(rows(text)["agentperf_results"][0]["extra"])["note"] == "first second"


def test_a_note_on_an_operating_point_stands_in_its_notes():
    text = HEADER + "operating_points:\n  - {model: M, accelerator: B300, scenario: agentic_traces, note: warm}\n"
    (point,) = rows(text)["operating_points"]
    assert (point["notes"], point["extra"], point["status"], point["cache_hit_kind"]) == ("warm", None, "active", "missing")


def test_what_is_not_given_is_missing_and_never_zero_or_empty():
    text = HEADER + "operating_points:\n  - {model: M, accelerator: B300, scenario: agentic_traces}\n"
    data, failures = frame(TABLES["operating_points"], rows(text)["operating_points"])
    assert not failures
    for column in ("total_tok_s_gpu", "output_tok_s_gpu", "cache_hit_ratio", "ttft_s", "concurrency", "framework", "flags"):
        assert data[column].isna().all(), column


def test_a_caveat_names_its_rows_by_sorted_columns_and_its_days():
    text = HEADER + "caveats:\n  - {table: prices, rows: {seller: S*, item: B300}, from: 2026-09-08, text: T}\n"
    (caveat,) = rows(text)["caveats"]
    assert (caveat["table_name"], caveat["key_pattern"], caveat["period_from"], caveat["period_to"]) == ("prices", "item=B300&seller=S*", "2026-09-08", None)


def test_the_tiers_of_a_methodology_become_json_and_its_facts_a_hash_that_wording_elsewhere_does_not_move():
    text = HEADER + "methodologies:\n  - {benchmark: B, turns_max: 200, tiers: [{model: M, p25_tok_s: 20, p95_ttft_s: 10}]}\n"
    (first,) = rows(text)["methodologies"]
    assert json.loads(first["tiers"]) == [{"model": "M", "p25_tok_s": 20.0, "p95_ttft_s": 10.0}]
    assert len(first["text_sha256"]) == 64
    (noted,) = rows(text.replace("200,", "200, note: read twice,"))["methodologies"]
    (changed,) = rows(text.replace("200,", "150,"))["methodologies"]
    assert noted["text_sha256"] == first["text_sha256"] != changed["text_sha256"]


def test_every_curated_table_is_named_so_that_a_section_taken_out_ends_its_rows():
    assert set(rows(HEADER + RESULT)) == set(SECTIONS)


class TestIds:
    def test_an_id_is_sixteen_hex_digits_of_the_sha256_of_canonical_json(self):
        # printf '["a",20,null,"é"]' | sha256sum
        assert content_id("a", 20, None, "é") == "cbc16b6cf550e4ca"

    def test_a_number_is_the_same_part_however_it_is_written(self):
        assert content_id("a", 20) == content_id("a", 20.0) != content_id("a", 20.5)
        assert content_id(True) != content_id(1)

    def test_an_id_of_texts_alone_is_that_of_their_json_too(self):
        texts = ["a", 'said "so"', "back\\slash", "line\nand \x00 and \x7f", "é 𝜏² \u2028", "</script>", ""]
        written = json.dumps(texts, ensure_ascii=False, separators=(",", ":"))
        assert content_id(*texts) == hashlib.sha256(written.encode()).hexdigest()[:16]

    def test_no_id_is_made_of_what_is_no_number(self):
        with pytest.raises(ValueError, match="Out of range float"):
            content_id(float("nan"))

    def test_a_result_is_told_by_publication_model_system_level_and_metric_and_not_by_its_value(self):
        base = result()["result_id"]
        assert result(value="7000")["result_id"] == base
        assert result(system="8x H200")["result_id"] != base
        assert rows(HEADER + RESULT, file="other-post.yaml")["agentperf_results"][0]["result_id"] != base
        assert rows(HEADER + RESULT + "    slo_p25_tok_s: 20\n")["agentperf_results"][0]["result_id"] != base

    def test_a_label_tells_levels_apart_only_where_no_numbers_do(self):
        def of(more):
            return rows(HEADER + RESULT + more)["agentperf_results"][0]["result_id"]

        assert of("    slo_p25_tok_s: 20\n    slo_label: SLO1\n") == of("    slo_p25_tok_s: 20.0\n    slo_label: first tier\n")
        assert of("    slo_label: SLO1\n") != of("    slo_label: first tier\n")

    def test_the_id_of_a_result_is_the_one_of_the_agreed_parts(self):
        assert result()["result_id"] == content_id("curated", "some-post", "Some Model", "8x B300", None, "agents_per_mw")


class TestSeries:
    def series(self, *entries):
        body = "".join("  - {item: B300, component: gpu_hour, seller: S, price_basis: rental, unit: USD/GPU-hour, " + e + "}\n" for e in entries)
        return rows(HEADER + "prices:\n" + body)["prices"]

    def spans(self, *entries):
        return [(r["low"], str(r["dated_from"].date()), r["dated_to"] and str(r["dated_to"].date())) for r in self.series(*entries)]

    def test_each_figure_of_a_series_ends_where_the_next_begins_in_whatever_order_they_stand(self):
        spans = self.spans("price: 3.0, date: 2026-07-31", "price: 3.48, date: 2026-04-03", "price: 4.25, date: 2026-09-08")
        assert spans == [(3.0, "2026-07-31", "2026-09-08"), (3.48, "2026-04-03", "2026-07-31"), (4.25, "2026-09-08", None)]

    def test_an_undated_figure_is_of_the_publications_day(self):
        assert self.spans("price: 3.0, date: 2026-07-31", "price: 4.25") == [(3.0, "2026-07-31", "2026-10-23"), (4.25, "2026-10-23", None)]

    def test_a_figure_taken_back_ends_where_it_says_and_leaves_a_gap(self):
        spans = self.spans("price: 3.0, date: 2026-04-03, until: 2026-06-01", "price: 4.25, date: 2026-09-08")
        assert spans == [(3.0, "2026-04-03", "2026-06-01"), (4.25, "2026-09-08", None)]

    def test_an_end_after_the_next_figure_gives_way_to_it(self):
        assert self.spans("price: 3.0, date: 2026-04-03, until: 2026-12-01", "price: 4.25, date: 2026-09-08")[0] == (3.0, "2026-04-03", "2026-09-08")

    def test_figures_of_another_key_are_another_series(self):
        text = HEADER + (
            "defaults: {item: B300, seller: S, unit: USD/GPU-hour}\nprices:\n"
            "  - {component: gpu_hour, price_basis: owning, price: 2.26, date: 2026-07-31}\n"
            "  - {component: gpu_hour, price_basis: rental, price: 4.25, date: 2026-09-08}\n"
            "  - {component: neocloud_gpu_hour, price_basis: owning, price: 2.52, date: 2026-08-01}\n"
        )
        assert [r["dated_to"] for r in rows(text)["prices"]] == [None, None, None]
