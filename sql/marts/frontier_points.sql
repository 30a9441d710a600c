-- The points that make the throughput frontier of a comparable set.
-- Unit of a row: a point on the frontier of its comparable set.
-- Reads: operating_points.
-- A comparable set has one source, scenario (with its request lengths), model, accelerator, precision, kind of
-- interactivity and kind of speculative acceptance. Only points that an evaluator measured count: a framework's or
-- vendor's selection of points is no curve.
-- Off the frontier: retracted and pending points, and those with a flag that doubts their figures (a corrected or
-- uncertain number of GPUs does not: throughput is per physical GPU either way). Superseded points stay on until
-- their line (framework, speculation, disaggregation) has a sound active point; then the line's newest run counts.
-- A point is on the frontier where no other has at least its interactivity and its throughput.
WITH sound AS (
  SELECT *,
         concat_ws(' | ', source, scenario || coalesce(' ' || isl || '/' || osl, ''), model, accelerator, precision, interactivity_kind,
                   CASE synthetic_acceptance WHEN true THEN 'simulated acceptance' WHEN false THEN 'real acceptance' END) AS comparable_set
  FROM operating_points
  WHERE provenance = 'evaluator_measured' AND status IN ('active', 'superseded')
    AND len(list_filter(coalesce(flags, []), lambda f: f NOT IN ('gpus_corrected', 'gpus_uncertain'))) = 0
    AND interactivity_tok_s > 0 AND total_tok_s_gpu > 0 AND interactivity_kind IS NOT NULL
),
standing AS (
  SELECT * FROM sound
  WINDOW line AS (PARTITION BY comparable_set, framework, speculative_decoding, disaggregated)
  QUALIFY status = 'active'
       OR (NOT bool_or(status = 'active') OVER line AND measured_on IS NOT DISTINCT FROM max(measured_on) OVER line)
),
frontier AS (
  SELECT * FROM standing
  QUALIFY total_tok_s_gpu > coalesce(max(total_tok_s_gpu) OVER (
            PARTITION BY comparable_set ORDER BY interactivity_tok_s DESC, total_tok_s_gpu DESC, point_id
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
)
SELECT comparable_set, row_number() OVER (PARTITION BY comparable_set ORDER BY interactivity_tok_s) AS place,
       point_id, source, origin, scenario, isl, osl, model, model_key, model_id, accelerator, vendor, precision, weight_format, interactivity_kind, synthetic_acceptance,
       framework, framework_version, speculative_decoding, accelerators, tp, ep, concurrency, interactivity_tok_s, total_tok_s_gpu, output_tok_s_gpu,
       status, flags, measured_on, attributed_to, provenance, source_url
FROM frontier
