import datetime as dt
import gzip
import json
import time
import tracemalloc

import pytest

from pipelines.sources.artificial_analysis.leaderboard import parse_leaderboard
from pipelines.sources.artificial_analysis.source import ArtificialAnalysis
from pipelines.sources.base import NoData, Unreadable
from pipelines.validate import comparison_failures, profile, schema_failures
from tests.helpers.aa_pages import bundle, flight_page, leaderboard_page, snake
from tests.helpers.model_records import CLOSED_ID, OPEN_ID, muse_spark_closed, muse_spark_open
from tests.shared import SHARED, needs_shared


def read(page):
    return parse_leaderboard(bundle("leaderboard", page))


def models(page):
    return {r["model_id"]: r for r in read(page).rows["models"]}


def the_open_one(page):
    return models(page)[OPEN_ID]


class TestRecords:
    def test_a_record_gives_every_column(self):
        parsed = read(leaderboard_page([muse_spark_open()], index_version=4.3))
        assert schema_failures(parsed, rows_sound=False) == []
        row = parsed.rows["models"][0]
        expected = {
            "slug": "muse-spark-open",
            "name": "Muse Spark Open",
            "creator": "Meta",
            "release_date": dt.date(2026, 10, 15),
            "open_weights": True,
            "is_reasoning": True,
            "deprecated": False,
            "size_class": "Large",
            "license": "Muse Model License",
            "total_parameters_b": 816,
            "active_parameters_b": 42,
            "context_window_tokens": 1_000_000,
            "intelligence_index": 39,
            "index_version": "4.3",
            "index_is_estimated": False,
            "index_usd_task": 0.84,
            "input_usd_mtok": 1.25,
            "output_usd_mtok": 4.25,
            "cached_input_usd_mtok": 0.15,
            "cache_discount_ratio": 0.88,
            "blend_7_2_1_usd_mtok": 0.78,
            "blend_3_1_usd_mtok": None,
            "output_tok_s": 142.9,
            "ttft_s": 0.76,
            "origin": "scraped",
            "source_url": "https://artificialanalysis.ai/leaderboards/models",
        }
        assert {k: row[k] for k in expected} == expected
        assert parsed.warnings == []

    def test_snake_case_of_the_former_era_with_nested_objects_reads_the_same(self):
        former = {
            "id": OPEN_ID,
            "slug": "muse-spark-open",
            "name": "Muse Spark Open",
            "model_creators": {"id": "m", "name": "Meta"},
            "open_weights": "Open",
            "reasoning_model": True,
            "price_1m_input_tokens": 1.25,
            "price_1m_output_tokens": 4.25,
            "parameters": 816,
            "inference_parameters_active": "42",
            "intelligence_index": 39,
            "timescaleData": {"median_output_speed": 142.9, "median_time_to_first_chunk": 0.76, "percentile_05_output_speed": 90},
        }
        row, now = the_open_one(leaderboard_page([former])), the_open_one(leaderboard_page([muse_spark_open()]))
        for column in ("creator", "open_weights", "is_reasoning", "input_usd_mtok", "output_usd_mtok", "total_parameters_b", "active_parameters_b"):
            assert row[column] == now[column]
        assert (row["output_tok_s"], row["ttft_s"], row["intelligence_index"]) == (142.9, 0.76, 39)

    def test_models_are_told_apart_by_id_and_never_by_slug_or_name(self):
        found = models(leaderboard_page([muse_spark_open(), muse_spark_closed(slug="muse-spark-open", name="Muse Spark Open")]))
        assert {i: r["intelligence_index"] for i, r in found.items()} == {OPEN_ID: 39, CLOSED_ID: 62}

    def test_nothing_measured_is_missing_and_not_zero(self):
        row = the_open_one(leaderboard_page([muse_spark_open(medianOutputTokensPerSecond=0, medianTimeToFirstTokenSeconds=0)]))
        assert (row["output_tok_s"], row["ttft_s"]) == (None, None)

    def test_a_price_of_zero_is_a_price(self):
        assert the_open_one(leaderboard_page([muse_spark_open(price1mInputTokens=0)]))["input_usd_mtok"] == 0

    def test_undefined_is_absent(self):
        parsed = read(leaderboard_page([muse_spark_open(cacheHitPrice="$undefined")]))
        assert parsed.rows["models"][0].get("cached_input_usd_mtok") is None
        assert "cacheHitPrice" not in parsed.fields["models"]

    def test_a_reference_within_the_page_is_followed_and_one_that_leads_nowhere_is_absent(self):
        creators = [{"name": "Meta"}]
        first, second = muse_spark_open(creator="$11:creators:0"), muse_spark_closed(creator="$77")
        del first["modelCreatorName"], second["modelCreatorName"]
        found = models(flight_page({"models": [first, second]}, {"creators": creators}, depth=0))
        assert found[OPEN_ID]["creator"] == "Meta"
        assert found[CLOSED_ID].get("creator") is None

    @pytest.mark.parametrize(("given", "version"), [(4.3, "4.3"), ("v4.1", "4.1"), (4, "4.0"), ("4", "4.0"), (4.11, "4.11"), (None, None)])
    def test_the_index_version_is_that_of_the_page(self, given, version):
        assert the_open_one(leaderboard_page([muse_spark_open()], index_version=given))["index_version"] == version

    def test_unknown_members_are_kept_in_extra_and_presentation_is_not(self):
        extra = json.loads(the_open_one(leaderboard_page([muse_spark_open(codingIndex=31.5, modelCreatorColor="#fff")]))["extra"])
        assert extra == {"codingIndex": 31.5, "modelCreatorId": "m"}


SUMMARY = {"id": OPEN_ID, "slug": "muse-spark-open", "name": "Muse (summary)", "intelligenceIndex": 12.0, "price1mInputTokens": None, "huggingfaceUrl": "h"}


class TestSeveralLists:
    @pytest.mark.parametrize("order", [1, -1])
    def test_a_summary_record_never_overwrites_a_full_one(self, order):
        lists = [{"featured": [SUMMARY]}, {"models": [muse_spark_open()]}][::order]
        row = the_open_one(flight_page(*lists))
        assert (row["name"], row["intelligence_index"], row["input_usd_mtok"]) == ("Muse Spark Open", 39, 1.25)
        assert '"huggingfaceUrl":"h"' in row["extra"]

    def test_a_summary_fills_what_the_full_record_does_not_mention(self):
        full = muse_spark_open()
        del full["intelligenceIndex"]
        assert the_open_one(flight_page({"models": [full]}, {"featured": [SUMMARY]}))["intelligence_index"] == 12

    def test_a_null_of_the_full_record_stands_and_the_difference_is_told(self):
        parsed = read(flight_page({"models": [muse_spark_open(intelligenceIndex=None)]}, {"featured": [SUMMARY]}))
        assert parsed.rows["models"][0]["intelligence_index"] is None
        assert any("two values of intelligence_index" in w for w in parsed.warnings)

    def test_a_model_that_only_a_summary_lists_is_listed(self):
        assert models(flight_page({"models": [muse_spark_closed()]}, {"featured": [SUMMARY]})).keys() == {OPEN_ID, CLOSED_ID}

    def test_hosts_creators_and_offers_are_no_models(self):
        hosts = [{"id": "h1", "slug": "host", "name": "A host", "functionCalling": True}]
        offers = [{"id": "o1", "slug": "host_muse", "name": "Offer", "modelId": OPEN_ID, "hostId": "h1", "price1mInputTokens": 9.0}]
        page = flight_page({"hosts": hosts}, {"models": [muse_spark_open(hostModels=offers)]}, {"offers": offers})
        assert models(page).keys() == {OPEN_ID}
        assert the_open_one(page)["input_usd_mtok"] == 1.25

    def test_a_model_listed_twice_under_two_slugs_with_the_same_figures_is_taken_as_listed_last(self):
        parsed = read(leaderboard_page([muse_spark_open(slug="muse-ga"), muse_spark_open()]))
        (row,) = parsed.rows["models"]
        assert row["slug"] == "muse-spark-open"
        assert any("listed more than once" in w for w in parsed.warnings)

    def test_a_model_listed_twice_with_two_prices_is_refused(self):
        with pytest.raises(Unreadable, match="two values of input_usd_mtok"):
            read(leaderboard_page([muse_spark_open(), muse_spark_open(price1mInputTokens=1.0)]))


class TestChecks:
    def test_a_blend_that_does_not_fit_its_prices_is_a_warning(self):
        parsed = read(leaderboard_page([muse_spark_open(price1mBlended7To2To1=0.95)]))
        assert parsed.rows["models"][0]["blend_7_2_1_usd_mtok"] == 0.95
        assert any("7:2:1 blend" in w and "0.78 by its prices" in w for w in parsed.warnings)

    def test_a_discount_beside_an_undiscounted_cache_price_is_a_warning(self):
        parsed = read(leaderboard_page([muse_spark_open(cacheHitPrice=1.25, cacheHitDiscountPercent=0.8, price1mBlended7To2To1=None)]))
        assert any("cache discount" in w for w in parsed.warnings)

    def test_a_discount_above_one_is_left_empty_and_told(self):
        parsed = read(leaderboard_page([muse_spark_open(cacheHitDiscountPercent=88)]))
        assert parsed.rows["models"][0].get("cache_discount_ratio") is None
        assert any("cache_discount_ratio cannot be read for sure" in w for w in parsed.warnings)

    @pytest.mark.parametrize("value", ["1,25", "about 1.25", True, [1.25], 1.0e999])
    def test_a_price_that_cannot_be_read_for_sure_is_refused(self, value):
        with pytest.raises(Unreadable, match="input_usd_mtok cannot be read for sure"):
            read(leaderboard_page([muse_spark_open(price1mInputTokens=value)]))

    def test_a_record_without_an_id_is_refused(self):
        nameless = muse_spark_open()
        del nameless["id"]
        with pytest.raises(Unreadable, match="no id"):
            read(leaderboard_page([muse_spark_closed(), nameless]))

    def test_a_page_that_lists_no_model_is_no_data(self):
        for page in (leaderboard_page([]), flight_page({"children": "soon"})):
            with pytest.raises(NoData):
                read(page)

    def test_a_list_that_refers_to_records_the_page_does_not_hold_is_refused(self):
        with pytest.raises(Unreadable, match="a list with gaps is no list"):
            read(flight_page({"models": [muse_spark_open(), "$99"]}))

    def test_records_nested_beyond_measure_do_not_crash(self):
        page = leaderboard_page([muse_spark_open(nested="@")]).replace(b'\\"@\\"', b'{\\"a\\":' * 700 + b"1" + b"}" * 700)
        with pytest.raises(Unreadable, match="too deeply"):
            ArtificialAnalysis().parse(bundle("leaderboard", page))


class TestWhatTheComparisonSees:
    """The comparison with the last accepted snapshot is the history's; here, that it gets to see a loss."""

    def failures(self, records):
        before = profile(read(leaderboard_page([muse_spark_open(id=f"m{i}", slug=f"m-{i}") for i in range(20)])))
        return [f.column for f in comparison_failures(profile(read(leaderboard_page(records))), before)]

    def test_a_price_lost_from_every_record(self):
        records = [muse_spark_open(id=f"m{i}", slug=f"m-{i}") for i in range(20)]
        for record in records:
            del record["price1mInputTokens"]
        assert self.failures(records) == ["input_usd_mtok"]

    def test_a_price_null_in_thirty_percent_of_the_records(self):
        records = [muse_spark_open(id=f"m{i}", slug=f"m-{i}", **({"price1mInputTokens": None} if i < 6 else {})) for i in range(20)]
        assert self.failures(records) == ["input_usd_mtok"]


@pytest.fixture(scope="module")
def body():
    return gzip.decompress((SHARED / "captures/aa_leaderboards_models_2025-09-30.html.gz").read_bytes())


@needs_shared
class TestTheRealPageOf2025:
    def test_289_models_are_read_with_name_and_prices_and_speed_where_given(self, body):
        started = time.monotonic()
        parsed = read(body)
        assert time.monotonic() - started < 1.5
        rows = parsed.rows["models"]
        assert schema_failures(parsed, rows_sound=False) == []
        assert len(rows) == 289
        assert all(r["name"] and r["input_usd_mtok"] is not None and r["output_usd_mtok"] is not None for r in rows)
        assert sum(r["output_tok_s"] is not None for r in rows) == 194
        (known,) = [r for r in rows if r["slug"] == "gpt-oss-120b"]
        assert (known["input_usd_mtok"], known["output_usd_mtok"], known["creator"], known["active_parameters_b"]) == (0.15, 0.6, "OpenAI", 5.1)
        assert known["output_tok_s"] == pytest.approx(308.279102862136)

    def test_reading_it_takes_less_than_300_mb(self, body):
        tracemalloc.start()
        try:
            read(body)
            assert tracemalloc.get_traced_memory()[1] < 300e6
        finally:
            tracemalloc.stop()


def test_either_spelling_gives_the_same_frame():
    records = [muse_spark_open(), muse_spark_closed()]
    camel, snaked = read(leaderboard_page(records)).rows["models"], read(leaderboard_page(snake(records))).rows["models"]
    assert [{k: v for k, v in r.items() if k != "extra"} for r in camel] == [{k: v for k, v in r.items() if k != "extra"} for r in snaked]
