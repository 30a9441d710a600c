"""A million versions, made by SQL: a daily history of the kind and spread that three busy years would leave."""

from __future__ import annotations

# Versions follow each other every ten days from the start; the last one of each thing still holds.
_VERSIONS = """
INSERT INTO history.{table} BY NAME
SELECT {columns},
       TIMESTAMP '2024-01-01 23:00:00' + INTERVAL (10 * v) DAY AS valid_from,
       CASE WHEN v < {each} - 1 THEN TIMESTAMP '2024-01-01 23:00:00' + INTERVAL (10 * (v + 1)) DAY END AS valid_to,
       'capture' AS date_source, TIMESTAMP '2024-01-01 23:00:00' + INTERVAL (10 * v) DAY AS recorded_at,
       '{table}' AS scope, '{table} ' || v AS snapshot_id, '{table} ' || i || ' ' || v AS version_id, '{table} ' || i AS identity, v = {each} - 1 AS live
FROM range({things}) t(i), range({each}) u(v)"""

_MODEL = "'Model ' || (i % 15)"
_ACCELERATOR = "['B200', 'B300', 'GB200', 'GB300', 'H100', 'H200', 'MI300X', 'MI325X', 'MI355X', 'TPU v7'][1 + (i // 15) % 10]"
_VENDOR = f"CASE WHEN {_ACCELERATOR} LIKE 'MI%' THEN 'AMD' WHEN {_ACCELERATOR} = 'TPU v7' THEN 'Google' ELSE 'NVIDIA' END"
_INFERENCEX = "'inferencex' AS source, 'api' AS origin, 'evaluator_measured' AS provenance, 'https://inferencex.example/run' AS source_url"
_AA = "'artificial_analysis' AS source, 'scraped' AS origin, 'evaluator_measured' AS provenance, 'https://aa.example/page' AS source_url"

TABLES = {
    # 15 models x 10 accelerators x 2 precisions x 2 workloads, 40 points each
    "operating_points": (
        24_000,
        25,
        f"""'point ' || i AS point_id, {_MODEL} AS model, {_ACCELERATOR} AS accelerator, {_VENDOR} AS vendor, 8 AS accelerators,
        ['fp4', 'fp8'][1 + (i // 150) % 2] AS precision, 'sglang' AS framework, 'mtp' AS speculative_decoding, false AS disaggregated,
        ['agentic_traces', 'fixed_length'][1 + (i // 300) % 2] AS scenario,
        CASE (i // 300) % 2 WHEN 1 THEN 8192 END AS isl, CASE (i // 300) % 2 WHEN 1 THEN 1024 END AS osl,
        1 + (i // 600) AS concurrency, 15.0 + 8 * (i // 600) AS interactivity_tok_s, ['p90_itl', 'median_tpot'][1 + (i // 300) % 2] AS interactivity_kind,
        (60000.0 - 1400 * (i // 600)) * (1 + v / 100.0) AS total_tok_s_gpu, 300.0 AS output_tok_s_gpu, 0.96 AS cache_hit_ratio, 'server' AS cache_hit_kind,
        'active' AS status, [] AS flags, {_INFERENCEX}""",
    ),
    "models": (
        1_000,
        200,
        f"""'id ' || i AS model_id, 'model-' || i AS slug, 'Model ' || i AS name,
        i % 2 = 0 AS open_weights, ['small', 'medium', 'large'][1 + i % 3] AS size_class,
        (i % 60) + v / 100.0 AS intelligence_index, '4.3' AS index_version, false AS index_is_estimated, 1.25 AS input_usd_mtok, 4.25 AS output_usd_mtok,
        0.15 AS cached_input_usd_mtok, 50.0 + i % 200 AS output_tok_s, 0.5 AS ttft_s, {_AA}""",
    ),
    "agentperf_results": (
        2_000,
        40,
        f"""'result ' || i AS result_id, {_MODEL} AS model, {_ACCELERATOR} || ' system ' || (i // 600) AS system, {_ACCELERATOR} AS accelerator,
        {_VENDOR} AS vendor,
        20.0 * (1 + (i // 150) % 4) AS slo_p25_tok_s, 10.0 AS slo_p95_ttft_s, ['agents_per_mw', 'throughput_tok_s_mw'][1 + i % 2] AS metric,
        1e6 * (1 + i % 90 + v) AS value, {_VENDOR} AS configured_by, 'config ' || i AS config_id, 'accelerator_measured' AS power_basis,
        'input_and_output' AS tokens_counted, {_AA}""",
    ),
    "configurations": (2_000, 10, f"'config ' || i AS config_id, 'FP4' AS precision, 'SGLang' AS framework, {_AA}"),
    "prices": (
        60,
        500,
        f"""['B200', 'B300', 'GB200', 'GB300', 'H100', 'H200', 'MI300X', 'MI325X', 'MI355X', 'TPU v7'][1 + i % 10] AS item, 'gpu_hour' AS component,
        'list ' || (i // 20) AS seller, ['owning', 'rental'][1 + (i // 10) % 2] AS price_basis,
        2.0 + v / 1000.0 AS low, 2.0 + v / 1000.0 AS high, 'usd_gpu_h' AS unit, {_INFERENCEX}""",
    ),
    "model_facts": (1_000, 50, f"'Model ' || i AS model, 'cache_hit_ratio' AS fact, 0.9 AS value, '90 %' AS value_text, 'ratio' AS unit, {_AA}"),
    "accuracy_gates": (
        400,
        50,
        f"'gate ' || i AS gate_id, {_MODEL} AS model, 'test.py' AS path, 'accuracy' AS metric, 'measured' AS threshold_basis, 'run' AS run_state, {_AA}",
    ),
}


def fill(warehouse) -> int:
    """Put the versions in; how many there are."""
    for table, (things, each, columns) in TABLES.items():
        warehouse.con.execute(_VERSIONS.format(table=table, things=things, each=each, columns=columns))
    return sum(things * each for things, each, _ in TABLES.values())
