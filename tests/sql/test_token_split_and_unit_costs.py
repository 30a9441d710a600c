"""What throughput is made of, and what a unit of work costs."""

import pytest

from tests.sql.by_hand import Tables, point, price


def split(row, columns="output_share, cached_input_share, uncached_input_share"):
    tables = Tables("operating_points")
    tables.add("operating_points", [row])
    tables.build("token_split")
    return [tuple(r.values()) for r in tables.rows(f"SELECT {columns} FROM token_split")]


def test_the_articles_point_is_split_as_published():
    """1,237 of 185,382 tok/s generated, 97.0 % hits between 96.8 and 97.6."""
    row = point(
        "a", 40.9, 185382.0, output_tok_s_gpu=1237.0, cache_hit_ratio=0.97, cache_hit_ratio_low=0.968, cache_hit_ratio_high=0.976, cache_hit_kind="reported"
    )
    ((output, cached, uncached, cached_low, cached_high, uncached_low, uncached_high, origin),) = split(
        row,
        "output_share, cached_input_share, uncached_input_share, cached_input_share_low, cached_input_share_high,"
        " uncached_input_share_low, uncached_input_share_high, output_from",
    )
    assert (output, cached, uncached) == (pytest.approx(0.00667, abs=5e-6), pytest.approx(0.9635, abs=5e-5), pytest.approx(0.0298, abs=5e-5))
    assert cached_low < cached < cached_high and uncached_low < uncached < uncached_high
    assert cached_low + uncached_high == pytest.approx(1 - output) and cached_high + uncached_low == pytest.approx(1 - output)
    assert origin == "stated"


def test_at_the_hit_rate_the_cookbook_states_the_split_is_another():
    row = point("a", 40.9, 185382.0, output_tok_s_gpu=1237.0, cache_hit_ratio=0.968, cache_hit_kind="reported")
    assert split(row) == [(pytest.approx(0.00667, abs=5e-6), pytest.approx(0.9615, abs=5e-5), pytest.approx(0.0318, abs=5e-5))]


def test_the_published_agentic_point_is_split_in_tok_s_too():
    row = point("a", 51.3, 17480.42, output_tok_s_gpu=114.984, cache_hit_ratio=0.95871, cache_hit_kind="server")
    assert split(row) == [(pytest.approx(0.0066, abs=5e-5), pytest.approx(0.9524, abs=5e-5), pytest.approx(0.0410, abs=5e-5))]
    ((output, cached, uncached),) = split(row, "output_tok_s_gpu, cached_input_tok_s_gpu, uncached_input_tok_s_gpu")
    assert output + cached + uncached == pytest.approx(17480.42)


def test_without_a_hit_rate_the_shares_of_input_are_missing_and_not_zero():
    assert split(point("a", 191.0, 9469.7, output_tok_s_gpu=63.4)) == [(pytest.approx(63.4 / 9469.7), None, None)]


def test_without_output_nothing_is_split():
    assert split(point("a", 97.1, 114342.0, cache_hit_ratio=0.97, cache_hit_kind="reported")) == [(None, None, None)]


@pytest.mark.parametrize(
    ("lengths", "share", "words"),
    [
        ({"isl": 1024, "osl": 1024}, 0.5, "request lengths"),
        ({}, 1 / 9, "default request lengths 8192/1024"),
        ({"isl": 8192}, 1 / 9, "default request lengths 8192/1024"),
    ],
)
def test_random_data_without_output_is_split_by_request_lengths_and_says_so(lengths, share, words):
    assert split(point("a", 50.0, 900.0, dataset="random", **lengths), "output_share, output_from") == [(pytest.approx(share), words)]


def test_output_above_the_total_is_no_share():
    assert split(point("a", 50.0, 900.0, output_tok_s_gpu=901.0)) == [(None, None, None)]


def test_a_retracted_point_is_not_split():
    assert split(point("a", 50.0, 900.0, output_tok_s_gpu=9.0, status="retracted")) == []


def unit_costs(rows=(), results=(), prices=()):
    tables = Tables("operating_points", "agentperf_results", "prices")
    tables.add("operating_points", rows)
    tables.add("agentperf_results", results)
    tables.add("prices", prices)
    tables.build("gpu_hour_prices", "unit_costs")
    return tables.rows("SELECT * FROM unit_costs ORDER BY ALL")


def test_units_of_work_at_a_point():
    """Two GPUs at $3 an hour, 500 tok/s each of which 5 are generated; 10 agents, 36 requests in 60 minutes."""
    row = point(
        "a",
        50.0,
        500.0,
        output_tok_s_gpu=5.0,
        accelerators=2,
        concurrency=10,
        duration_s=3600.0,
        requests_completed=36,
        joules_total_token=0.4,
        power_watts_gpu=200.0,
    )
    (found,) = unit_costs([row], prices=price("B300", 3.0))
    assert found["usd_mtok_total"] == pytest.approx(3.0 * 1e6 / (3600 * 500))
    assert found["usd_mtok_generated"] == pytest.approx(3.0 * 1e6 / (3600 * 5))
    assert found["usd_agent_hour"] == pytest.approx(3.0 * 2 / 10)
    assert found["usd_turn"] == pytest.approx(3.0 * 2 / 36)
    assert found["joules_per_generated_token"] == pytest.approx(0.4 * 100)


def test_energy_per_generated_token_falls_back_to_power_over_output():
    (found,) = unit_costs([point("a", 50.0, 500.0, output_tok_s_gpu=5.0, power_watts_gpu=200.0)], prices=price("B300", 3.0))
    assert found["joules_per_generated_token"] == pytest.approx(40)


def test_what_a_point_does_not_state_has_no_cost():
    (found,) = unit_costs([point("a", 50.0, 500.0, concurrency=10)], prices=price("B300", 3.0))
    assert [found[k] for k in ("usd_mtok_generated", "usd_agent_hour", "usd_turn", "joules_per_generated_token")] == [None] * 4


def test_requests_of_fixed_lengths_are_no_agents():
    (found,) = unit_costs([point("a", 50.0, 500.0, scenario="fixed_length", accelerators=2, concurrency=10)], prices=price("B300", 3.0))
    assert found["usd_agent_hour"] is None


def test_a_published_number_of_agents_per_accelerator_has_its_price():
    """57.5 agents per GPU at $2.31 an hour is $0.040 an agent-hour."""
    result = {"result_id": "r", "model": "DeepSeek V4 Pro", "system": "GB300", "accelerator": "GB300", "metric": "agents_per_accelerator", "value": 57.5}
    result |= {"source": "artificial_analysis", "origin": "scraped", "provenance": "vendor_submitted", "source_url": "https://x"}
    (found,) = unit_costs(results=[result, result | {"result_id": "s", "metric": "agents_per_mw", "value": 61354.0}], prices=price("GB300", 2.31))
    assert round(found["usd_agent_hour"], 3) == 0.040
