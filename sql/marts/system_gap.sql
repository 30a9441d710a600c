-- Two systems on the same model: AA-AgentPerf values of one metric and service level, or costs at one speed per user.
-- Unit of a row: an ordered pair of systems (each pair stands both ways), metric and service level or speed.
-- Reads: agentperf_results, configurations, cost_at_interactivity, frontier_points.
-- Both sides are of one source and origin, and of one publication where entered by hand, so modelled all-in power never
-- meets power measured at the accelerator. `comparability`: `no` where scenario, request lengths, kind of interactivity,
-- tokens counted or power basis differ or a per-megawatt figure does not state them: then there is no ratio but a reason;
-- `differs` where anything else does, listed in `differences`; `same` otherwise. Nothing is compared across models.
WITH configured AS (
  SELECT config_id, precision, framework FROM configurations
  QUALIFY row_number() OVER (PARTITION BY config_id ORDER BY origin = 'curated', valid_from DESC, version_id) = 1
),
curves AS (
  SELECT comparable_set,
         string_agg(DISTINCT weight_format, ' and ' ORDER BY weight_format) AS weight_format,
         string_agg(DISTINCT framework, ' and ' ORDER BY framework) AS framework,
         string_agg(DISTINCT framework_version, ' and ' ORDER BY framework_version) AS framework_version,
         string_agg(DISTINCT speculative_decoding, ' and ' ORDER BY speculative_decoding) AS speculation,
         string_agg(DISTINCT accelerators::VARCHAR, ' and ' ORDER BY accelerators::VARCHAR) AS accelerators,
         string_agg(DISTINCT attributed_to, ' and ' ORDER BY attributed_to) AS configured_by
  FROM frontier_points
  GROUP BY ALL
),
sides AS (
  SELECT 'agentperf' AS of_kind, r.result_id AS key, r.model, r.model_key, r.model_id, r.metric, r.slo_p25_tok_s, r.slo_p95_ttft_s, r.slo_label,
         r.system, r.system AS told_apart_by, r.accelerator, r.vendor, r.accelerators::VARCHAR AS accelerators, r.value, r.qualifier, r.bound,
         weight_format(c.precision, r.vendor) AS weight_format, c.framework, r.configured_by, r.config_id, r.methodology,
         r.power_basis, r.tokens_counted, r.measured_on, r.measured_on AS dated_to, 'published' AS method,
         r.source, r.origin, r.provenance, r.publication, r.publisher, r.source_url, r.reported_via, r.publisher_interest, r.valid_from
  FROM agentperf_results r
  LEFT JOIN configured c USING (config_id)
  UNION ALL BY NAME
  SELECT 'cost' AS of_kind, k.comparable_set AS key, k.model, k.model_key, k.model_id, 'usd_mtok' AS metric, k.scenario, k.isl, k.osl,
         k.interactivity_tok_s, k.interactivity_kind, k.cost_of, k.price_basis,
         k.accelerator AS system, k.accelerator AS told_apart_by, k.accelerator, k.vendor, f.accelerators, k.usd_mtok AS value, k.qualifier,
         coalesce(f.weight_format, weight_format(k.precision, k.vendor)) AS weight_format, f.framework, f.framework_version, f.speculation,
         CASE k.synthetic_acceptance WHEN true THEN 'simulated' WHEN false THEN 'real' END AS acceptance, f.configured_by,
         k.usd_gpu_h, k.measured_to AS measured_on, k.measured_to AS dated_to, k.method,
         k.source, k.origin, k.provenance, k.publication, k.publisher, k.source_url, k.reported_via, k.publisher_interest, k.stated_from AS valid_from
  FROM cost_at_interactivity k
  LEFT JOIN curves f USING (comparable_set)
  WHERE k.usd_mtok IS NOT NULL
),
pairs AS (
  SELECT a, b,
         said([
           CASE WHEN a.scenario IS DISTINCT FROM b.scenario THEN against('scenario', a.scenario, b.scenario) END,
           CASE WHEN (a.isl, a.osl) IS DISTINCT FROM (b.isl, b.osl)
                THEN against('request lengths', a.isl || '/' || a.osl, b.isl || '/' || b.osl) END,
           against('interactivity', a.interactivity_kind, b.interactivity_kind),
           CASE WHEN a.metric = 'throughput_tok_s_mw' AND (a.tokens_counted IS NULL OR b.tokens_counted IS NULL) THEN 'tokens counted not stated'
                ELSE against('tokens counted', a.tokens_counted, b.tokens_counted) END,
           CASE WHEN a.metric IN ('throughput_tok_s_mw', 'agents_per_mw') AND (a.power_basis IS NULL OR b.power_basis IS NULL) THEN 'power basis not stated'
                ELSE against('power basis', a.power_basis, b.power_basis) END
         ]) AS obstacles,
         coalesce(date_diff('day', b.dated_to, a.dated_to), date_diff('day', b.valid_from::DATE, a.valid_from::DATE)) AS days_apart
  FROM sides a
  JOIN sides b ON b.of_kind = a.of_kind AND b.model_key = a.model_key AND b.metric = a.metric AND b.source = a.source AND b.origin = a.origin
              AND b.publication IS NOT DISTINCT FROM a.publication AND b.slo_p25_tok_s IS NOT DISTINCT FROM a.slo_p25_tok_s
              AND b.interactivity_tok_s IS NOT DISTINCT FROM a.interactivity_tok_s AND b.cost_of IS NOT DISTINCT FROM a.cost_of
              AND b.price_basis IS NOT DISTINCT FROM a.price_basis AND b.told_apart_by <> a.told_apart_by
  WHERE (a.slo_p95_ttft_s IS NULL OR b.slo_p95_ttft_s IS NULL OR a.slo_p95_ttft_s = b.slo_p95_ttft_s)
    AND (a.of_kind = 'cost' OR a.slo_p25_tok_s IS NOT NULL OR a.slo_label IS NOT DISTINCT FROM b.slo_label)
),
told AS (
  SELECT a, b, obstacles, days_apart,
         said([
           CASE WHEN a.weight_format IS NULL OR b.weight_format IS NULL
                THEN 'weight format not stated'
                     || CASE WHEN (a.vendor, b.vendor) IN (('NVIDIA', 'AMD'), ('AMD', 'NVIDIA')) THEN ' (4-bit weights are NVFP4 on NVIDIA against MXFP4 on AMD)' ELSE '' END
                ELSE against('weight format', a.weight_format, b.weight_format) END,
           against('speculative decoding', a.speculation, b.speculation),
           against('speculative acceptance', a.acceptance, b.acceptance),
           against('accelerators', a.accelerators, b.accelerators),
           against('configured by', a.configured_by, b.configured_by),
           against('methodology', a.methodology, b.methodology),
           against('framework', a.framework, b.framework),
           against('framework version', a.framework_version, b.framework_version),
           against('95th-percentile time to first token limit', a.slo_p95_ttft_s || ' s', b.slo_p95_ttft_s || ' s'),
           against('figure', coalesce(a.bound, a.qualifier), coalesce(b.bound, b.qualifier)),
           CASE WHEN days_apart <> 0 THEN CASE WHEN a.dated_to IS NULL OR b.dated_to IS NULL THEN 'published ' ELSE 'measured ' END || abs(days_apart) || ' days apart' END,
           CASE WHEN a.method = 'clamped' THEN 'the speed lies outside what was measured on ' || a.system END,
           CASE WHEN b.method = 'clamped' THEN 'the speed lies outside what was measured on ' || b.system END
         ]) AS differences
  FROM pairs
)
SELECT a.of_kind AS of_kind, a.model AS model, a.model_key AS model_key, a.model_id AS model_id, a.metric AS metric,
       a.slo_p25_tok_s AS slo_p25_tok_s, coalesce(a.slo_p95_ttft_s, b.slo_p95_ttft_s) AS slo_p95_ttft_s, a.slo_label AS slo_label,
       a.interactivity_tok_s AS interactivity_tok_s, a.interactivity_kind AS interactivity_kind, a.scenario AS scenario, a.cost_of AS cost_of, a.price_basis AS price_basis,
       a.system AS system, b.system AS other_system, a.accelerator AS accelerator, b.accelerator AS other_accelerator, a.vendor AS vendor, b.vendor AS other_vendor,
       a.accelerators AS accelerators, b.accelerators AS other_accelerators, a.value AS value, b.value AS other_value,
       CASE WHEN len(obstacles) = 0 THEN a.value / nullif(b.value, 0) END AS ratio,
       CASE WHEN len(obstacles) > 0 THEN 'no' WHEN len(differences) > 0 THEN 'differs' ELSE 'same' END AS comparability,
       CASE WHEN len(obstacles) > 0 THEN array_to_string(obstacles, '; ') END AS reason, differences,
       a.configured_by AS configured_by, b.configured_by AS other_configured_by, a.config_id AS config_id, b.config_id AS other_config_id,
       a.weight_format AS weight_format, b.weight_format AS other_weight_format, a.usd_gpu_h AS usd_gpu_h, b.usd_gpu_h AS other_usd_gpu_h,
       a.qualifier AS qualifier, b.qualifier AS other_qualifier, a.bound AS bound, b.bound AS other_bound, a.method AS method, b.method AS other_method,
       a.measured_on AS measured_on, b.measured_on AS other_measured_on, abs(days_apart) AS days_apart,
       a.source AS source, a.origin AS origin, a.publication AS publication, a.publisher AS publisher, a.provenance AS provenance, b.provenance AS other_provenance,
       a.source_url AS source_url, b.source_url AS other_source_url, a.reported_via AS reported_via, a.publisher_interest AS publisher_interest,
       a.valid_from AS valid_from, b.valid_from AS other_valid_from, a.key AS key, b.key AS other_key
FROM told
