-- Two systems on the same model: AA-AgentPerf values of one metric and service level, or costs at one speed per user.
-- Unit of a row: an ordered pair of systems (each pair stands both ways), metric and service level or speed.
-- Reads: agentperf_results, configurations, cost_at_interactivity, frontier_points.
-- Both sides are of one source and origin, and of one publication where entered by hand, so modelled all-in power never
-- meets power measured at the accelerator. `comparability`: `no` where scenario, request lengths, kind of interactivity,
-- tokens counted or power basis differ or a per-megawatt figure does not state them: then there is no ratio but a reason;
-- `differs` where anything else does, listed in `differences`; `same` otherwise. Nothing is compared across models.
-- Costs of other work are set side by side only where two accelerators have no work in common, one pair of them; costs at a
-- speed that neither system was measured at are not compared.
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
work AS (
  SELECT *, concat_ws('|', scenario, isl, osl, interactivity_kind) AS work,
         list(DISTINCT concat_ws('|', scenario, isl, osl, interactivity_kind)) OVER system_there AS works,
         row_number() OVER (system_there ORDER BY key) AS place
  FROM sides
  WINDOW system_there AS (PARTITION BY of_kind, source, origin, publication, model_key, metric, told_apart_by, interactivity_tok_s, cost_of, price_basis)
),
pairs AS (
  SELECT a.*, COLUMNS(b.*) AS "other_\0",
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
  FROM work a
  JOIN work b ON b.of_kind = a.of_kind AND b.model_key = a.model_key AND b.metric = a.metric AND b.source = a.source AND b.origin = a.origin
              AND b.publication IS NOT DISTINCT FROM a.publication AND b.slo_p25_tok_s IS NOT DISTINCT FROM a.slo_p25_tok_s
              AND b.interactivity_tok_s IS NOT DISTINCT FROM a.interactivity_tok_s AND b.cost_of IS NOT DISTINCT FROM a.cost_of
              AND b.price_basis IS NOT DISTINCT FROM a.price_basis AND b.told_apart_by <> a.told_apart_by
  WHERE (a.slo_p95_ttft_s IS NULL OR b.slo_p95_ttft_s IS NULL OR a.slo_p95_ttft_s = b.slo_p95_ttft_s)
    AND CASE a.of_kind WHEN 'agentperf' THEN a.slo_p25_tok_s IS NOT NULL OR a.slo_label IS NOT DISTINCT FROM b.slo_label
                       ELSE (a.work = b.work OR (a.place = 1 AND b.place = 1 AND NOT list_has_any(a.works, b.works)))
                            AND NOT (a.method = 'clamped' AND b.method = 'clamped') END
),
told AS (
  SELECT *,
         said([
           CASE WHEN weight_format IS NULL OR other_weight_format IS NULL
                THEN 'weight format not stated'
                     || CASE WHEN (vendor, other_vendor) IN (('NVIDIA', 'AMD'), ('AMD', 'NVIDIA')) THEN ' (4-bit weights are NVFP4 on NVIDIA against MXFP4 on AMD)' ELSE '' END
                ELSE against('weight format', weight_format, other_weight_format) END,
           against('speculative decoding', speculation, other_speculation),
           against('speculative acceptance', acceptance, other_acceptance),
           against('accelerators', accelerators, other_accelerators),
           against('configured by', configured_by, other_configured_by),
           against('methodology', methodology, other_methodology),
           against('framework', framework, other_framework),
           against('framework version', framework_version, other_framework_version),
           against('95th-percentile time to first token limit', slo_p95_ttft_s || ' s', other_slo_p95_ttft_s || ' s'),
           against('figure', coalesce(bound, qualifier), coalesce(other_bound, other_qualifier)),
           CASE WHEN days_apart <> 0 THEN CASE WHEN dated_to IS NULL OR other_dated_to IS NULL THEN 'published ' ELSE 'measured ' END || abs(days_apart) || ' days apart' END,
           CASE WHEN method = 'clamped' THEN 'the speed lies outside what was measured on ' || system END,
           CASE WHEN other_method = 'clamped' THEN 'the speed lies outside what was measured on ' || other_system END
         ]) AS differences
  FROM pairs
)
SELECT of_kind, model, model_key, model_id, metric,
       slo_p25_tok_s, coalesce(slo_p95_ttft_s, other_slo_p95_ttft_s) AS slo_p95_ttft_s, slo_label,
       interactivity_tok_s, interactivity_kind, scenario, cost_of, price_basis,
       system, other_system, accelerator, other_accelerator, vendor, other_vendor,
       accelerators, other_accelerators, value, other_value,
       CASE WHEN len(obstacles) = 0 THEN value / nullif(other_value, 0) END AS ratio,
       CASE WHEN len(obstacles) > 0 THEN 'no' WHEN len(differences) > 0 THEN 'differs' ELSE 'same' END AS comparability,
       CASE WHEN len(obstacles) > 0 THEN array_to_string(obstacles, '; ') END AS reason, differences,
       configured_by, other_configured_by, config_id, other_config_id,
       weight_format, other_weight_format, usd_gpu_h, other_usd_gpu_h,
       qualifier, other_qualifier, bound, other_bound, method, other_method,
       measured_on, other_measured_on, abs(days_apart) AS days_apart,
       source, origin, publication, publisher, provenance, other_provenance,
       source_url, other_source_url, reported_via, publisher_interest,
       valid_from, other_valid_from, key, other_key
FROM told
