import json

import pytest

from pipelines.sources.artificial_analysis.api import pages_in_all, parse_api
from pipelines.sources.artificial_analysis.api_schema import parse_api_schema
from pipelines.sources.base import Incomplete, NoData, Unreadable
from pipelines.validate import schema_failures
from tests.helpers.aa_pages import PUBLIC, bundle
from tests.shared import SHARED, needs_shared

URL = PUBLIC + "/api/v2/language/models/free"


def model(n, **pricing):
    return {
        "id": f"id-{n}",
        "name": f"Model {n}",
        "slug": f"model-{n}",
        "release_date": "2026-10-15",
        "model_creator": {"id": "m", "name": "Meta"},
        "evaluations": {"artificial_analysis_intelligence_index": 39.0, "artificial_analysis_coding_index": None},
        "artificial_analysis_intelligence_index_cost": {"total_cost": 310.2, "cost_per_task": {"total_cost": 0.84}},
        "pricing": {
            "price_1m_input_tokens": 1.25,
            "price_1m_output_tokens": 4.25,
            "price_1m_cache_hit_tokens": 0.15,
            "price_1m_cache_write_tokens": None,
            **pricing,
        },
        "performance": {"median_output_tokens_per_second": 142.9, "median_time_to_first_token_seconds": 0.76},
    }


def page(number, total, models, *, version=4.3, **pagination):
    return json.dumps(
        {
            "tier": "free",
            "intelligence_index_version": version,
            "pagination": {"page": number, "page_size": 2, "total_pages": total, "has_more": number < total, **pagination},
            "data": models,
        }
    ).encode()


def read(*pages):
    return parse_api(bundle("models_api", *pages, url=URL))


WHOLE = (page(1, 2, [model(1), model(2)]), page(2, 2, [model(3)]))


class TestTheList:
    def test_pages_in_any_order_make_one_snapshot_of_origin_api(self):
        parsed = read(*reversed(WHOLE))
        assert schema_failures(parsed, rows_sound=False) == []
        assert [r["model_id"] for r in parsed.rows["models"]] == ["id-1", "id-2", "id-3"]
        row = parsed.rows["models"][0]
        assert (row["origin"], row["source_url"], row["index_version"]) == ("api", URL, "4.3")
        assert (row["creator"], row["intelligence_index"], row["index_usd_task"]) == ("Meta", 39, 0.84)
        assert (row["input_usd_mtok"], row["output_usd_mtok"], row["cached_input_usd_mtok"]) == (1.25, 4.25, 0.15)
        assert (row["output_tok_s"], row["ttft_s"]) == (142.9, 0.76)

    def test_what_the_free_tier_does_not_tell_is_missing(self):
        row = read(*WHOLE).rows["models"][0]
        assert row.get("open_weights") is None
        assert row.get("blend_7_2_1_usd_mtok") is None

    def test_a_cached_price_below_the_apis_rounding_is_missing_and_not_free(self):
        parsed = read(page(1, 1, [model(1, price_1m_cache_hit_tokens=0)]))
        assert parsed.rows["models"][0]["cached_input_usd_mtok"] is None
        assert any("rounding" in w for w in parsed.warnings)

    def test_a_set_that_lacks_a_page_is_incomplete(self):
        for part in WHOLE:
            with pytest.raises(Incomplete):
                read(part)

    @pytest.mark.parametrize(
        "pages",
        [
            (page(1, 2, [model(1), model(2)]), page(2, 3, [model(3)])),
            (page(1, 2, [model(1), model(2)]), page(2, 2, [model(2)])),
            (page(1, 2, [model(1), model(2)]), page(2, 2, [model(3)], has_more=True)),
            (page(1, 2, [model(1), model(2)], has_more=False), page(2, 2, [model(3)])),
            (page(1, 2, [model(1), model(2)]), page(2, 2, [model(3)], version=4.4)),
            (page(1, 3, [model(1), model(2)]), page(2, 3, [model(3)]), page(3, 3, [model(4)])),
        ],
        ids=["totals differ", "a model twice", "more follows the last", "nothing follows the first", "two index versions", "a short page in between"],
    )
    def test_pages_that_do_not_make_one_list_are_refused(self, pages):
        with pytest.raises(Unreadable):
            read(*pages)

    @pytest.mark.parametrize("body", [b"", b"<html></html>", b"[]", b'{"error":"API key is required"}', b'{"data":[]}', b'{"data":[1]}', b"\xff"])
    def test_what_is_no_page_of_the_api_is_unreadable(self, body):
        with pytest.raises(Unreadable):
            read(body)
        with pytest.raises(Unreadable):
            pages_in_all(body)

    def test_an_empty_list_is_no_data(self):
        with pytest.raises(NoData):
            read(page(1, 1, []))

    @needs_shared
    def test_the_stored_fixtures_of_the_api_are_read(self):
        folder = SHARED / "captures/api_v2_fixtures"
        bodies = [(folder / f"llm-free-page{n}.json").read_bytes() for n in (1, 2)]
        found = {r["slug"]: r for r in read(*bodies).rows["models"]}
        assert found.keys() == {m["slug"] for body in bodies for m in json.loads(body)["data"]}
        assert (found["gpt-oss-20b"]["intelligence_index"], found["gpt-oss-20b"]["index_usd_task"]) == (24.5, 0.1678)
        assert found["deepseek-v4"]["cached_input_usd_mtok"] == 0.028


SCHEMA = """openapi: 3.1.0
info:
  title: API
  version: '2'
paths:
  /language/models/free:
    get:
      summary: "All: of them"
      parameters:
        - name: page
          in: query
  "/language/models/{slug}":
    get: {}
components:
  schemas:
    Model:
      type: object
      description: |
        properties: none
      properties:
        id:
          type: string
        pricing:
          properties:
            price_1m_input_tokens: {type: number}
        hosts:
          type: array
          items:
            type: object
            properties:
              name:
                type: string
"""


class TestTheSchema:
    def test_endpoints_and_members_are_reported_and_no_row_is_made(self):
        parsed = parse_api_schema(bundle("api_schema", SCHEMA.encode(), url=PUBLIC + "/api/v2/openapi"))
        assert schema_failures(parsed, rows_sound=False) == []
        assert parsed.rows == {}
        assert sorted(parsed.fields["api"]) == [
            "/language/models/free",
            "/language/models/{slug}",
            "Model.hosts",
            "Model.hosts.name",
            "Model.id",
            "Model.pricing",
            "Model.pricing.price_1m_input_tokens",
        ]

    @pytest.mark.parametrize("body", [b"", b"<html></html>", b"openapi: 3.1.0\n", b'{"error":"no"}', b"\xff\xfe"])
    def test_what_is_no_description_is_unreadable(self, body):
        with pytest.raises(Unreadable):
            parse_api_schema(bundle("api_schema", body, url=PUBLIC + "/api/v2/openapi"))
