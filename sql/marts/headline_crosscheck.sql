-- Throughput-per-megawatt headlines of AA-AgentPerf held against a measured operating point: can the two describe the same work?
-- Unit of a row: a headline as published; its point's and power's columns are NULL, with the reason in `unknown`, where there is none.
-- Reads: agentperf_results, operating_points, accelerator_power.
-- Pairing is inferred: of the points of the same model and accelerator measured on the AA-AgentPerf scenario and no slower
-- than the headline's service level, the one of the highest throughput, because a ceiling pairs with the top of the curve.
-- Points whose throughput is doubted are left out. Power is that measured at the accelerator; all-in models never count.
-- `consistent`: measured within 10 % of the implied band and implied power within 300 to 1,700 W; beyond those watts a unit must be wrong.
WITH headlines AS (
  SELECT * FROM agentperf_results WHERE metric = 'throughput_tok_s_mw'
),
points AS (
  SELECT * FROM operating_points
  WHERE scenario = 'aa_agentperf' AND status = 'active'
    AND NOT list_has_any(coalesce(flags, []), ['unit_suspect', 'arithmetic_off', 'io_mismatch', 'outlier', 'short_run', 'gpus_uncertain'])
),
measured AS (
  SELECT h.result_id, h.origin, h.publication, p, CASE h.tokens_counted WHEN 'output' THEN p.output_tok_s_gpu ELSE p.total_tok_s_gpu END AS tok_s_gpu
  FROM headlines h
  JOIN points p ON p.model_key = h.model_key AND p.accelerator = h.accelerator
               AND (h.slo_p25_tok_s IS NULL OR p.interactivity_tok_s >= h.slo_p25_tok_s)
  WHERE tok_s_gpu > 0
  QUALIFY row_number() OVER (PARTITION BY h.result_id, h.origin, h.publication
                             ORDER BY tok_s_gpu DESC, p.origin = 'curated', p.valid_from DESC, p.point_id) = 1
),
power AS (
  SELECT * FROM accelerator_power
  WHERE power_basis = 'accelerator_measured'
  QUALIFY row_number() OVER (PARTITION BY accelerator ORDER BY origin = 'curated', valid_from DESC, kw, version_id) = 1
),
paired AS (
  SELECT h.*, m.p AS point, m.tok_s_gpu AS measured_tok_s_gpu, w.kw AS kw_low, coalesce(w.kw_high, w.kw) AS kw_high,
         CASE WHEN w.accelerator IS NOT NULL THEN w END AS power,
         CASE WHEN h.power_basis = 'accelerator_measured' THEN implied_tok_s_gpu(h.value, w.kw) END AS implied_tok_s_gpu_low,
         CASE WHEN h.power_basis = 'accelerator_measured' THEN implied_tok_s_gpu(h.value, coalesce(w.kw_high, w.kw)) END AS implied_tok_s_gpu_high,
         CASE WHEN h.tokens_counted IS NOT NULL THEN implied_watts(m.tok_s_gpu, h.value) END AS implied_watts_per_accelerator
  FROM headlines h
  LEFT JOIN measured m ON m.result_id = h.result_id AND m.origin = h.origin AND m.publication IS NOT DISTINCT FROM h.publication
  LEFT JOIN power w ON w.accelerator = h.accelerator
)
SELECT result_id, model, model_key, model_id, system, accelerator, vendor, accelerators, slo_p25_tok_s, slo_p95_ttft_s, slo_label,
       value AS headline_tok_s_mw, qualifier, bound, tokens_counted, power_basis, configured_by, verified_by, methodology, measured_on,
       source, origin, provenance, publication, publisher, stated_date, source_url, reported_via, publisher_interest, valid_from,
       point.point_id AS point_id, point.framework AS framework, point.concurrency AS concurrency, point.interactivity_tok_s AS interactivity_tok_s,
       point.interactivity_kind AS interactivity_kind, point.accelerators AS point_accelerators, measured_tok_s_gpu,
       point.synthetic_acceptance AS point_synthetic_acceptance, point.flags AS point_flags, point.attributed_to AS point_attributed_to,
       point.measured_on AS point_measured_on, point.source AS point_source, point.origin AS point_origin, point.provenance AS point_provenance,
       point.publication AS point_publication, point.publisher AS point_publisher, point.source_url AS point_url,
       point.reported_via AS point_reported_via, point.publisher_interest AS point_publisher_interest, point.valid_from AS point_valid_from,
       kw_low, kw_high, power.source AS power_source, power.origin AS power_origin, power.provenance AS power_provenance,
       power.publication AS power_publication, power.publisher AS power_publisher, power.source_url AS power_url, power.valid_from AS power_valid_from,
       implied_tok_s_gpu_low, implied_tok_s_gpu_high, implied_watts_per_accelerator,
       CASE WHEN implied_watts_per_accelerator IS NULL OR power_basis IS DISTINCT FROM 'accelerator_measured' THEN NULL
            WHEN implied_watts_per_accelerator NOT BETWEEN 300 AND 1700 THEN 'unit_error'
            WHEN kw_low IS NULL THEN NULL
            WHEN measured_tok_s_gpu BETWEEN 0.9 * implied_tok_s_gpu_low AND 1.1 * implied_tok_s_gpu_high THEN 'consistent'
            ELSE 'inconsistent' END AS verdict,
       CASE WHEN point IS NOT NULL THEN 'inferred' END AS pairing,
       CASE WHEN accelerator IS NULL THEN 'the system''s accelerator is not known by name'
            WHEN point IS NULL THEN 'no undoubted point of this model on ' || accelerator || ' is known for the AA-AgentPerf scenario'
                                   || coalesce(' at ' || trimmed(slo_p25_tok_s, 1) || ' tok/s per user or faster', '')
            WHEN tokens_counted IS NULL THEN 'which tokens the headline counts is not stated'
            WHEN power_basis IS DISTINCT FROM 'accelerator_measured' THEN 'the headline''s megawatt is not power measured at the accelerator'
            WHEN kw_low IS NULL THEN 'the power of a ' || accelerator || ', measured at the accelerator, is not published' END AS unknown
FROM paired
