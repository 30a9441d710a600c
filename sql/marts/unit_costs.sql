-- What a unit of work costs at a measured point: a million tokens, an agent's hour, a turn; and energy per generated token.
-- Unit of a row: a point (or a published number of agents per accelerator) and a price basis.
-- Reads: operating_points, agentperf_results, gpu_hour_prices.
-- An agent's hour is the accelerator hour over agents per accelerator; in agentic scenarios concurrency is agents.
-- A turn is one completed request. What a point does not state stays NULL.
WITH units AS (
  SELECT point_id, source, origin, model, model_key, model_id, accelerator, vendor, scenario, concurrency, interactivity_tok_s, interactivity_kind, status, flags,
         total_tok_s_gpu, output_tok_s_gpu, provenance, source_url,
         CASE WHEN scenario IN ('agentic_traces', 'aa_agentperf') THEN concurrency / accelerators END AS agents_per_accelerator,
         requests_completed / nullif(duration_s, 0) / accelerators AS turns_s_gpu,
         coalesce(joules_total_token * total_tok_s_gpu, power_watts_gpu) / nullif(output_tok_s_gpu, 0) AS joules_per_generated_token
  FROM operating_points
  WHERE status <> 'retracted'
  UNION ALL BY NAME
  SELECT result_id AS point_id, source, origin, model, model_key, model_id, accelerator, vendor, 'aa_agentperf' AS scenario, provenance, source_url,
         value AS agents_per_accelerator
  FROM agentperf_results
  WHERE metric = 'agents_per_accelerator'
)
SELECT u.* EXCLUDE (turns_s_gpu, joules_per_generated_token), p.price_basis, p.usd_gpu_h, p.source AS price_source, p.origin AS price_origin,
       p.usd_gpu_h * 1e6 / (3600 * nullif(u.total_tok_s_gpu, 0)) AS usd_mtok_total,
       p.usd_gpu_h * 1e6 / (3600 * nullif(u.output_tok_s_gpu, 0)) AS usd_mtok_generated,
       p.usd_gpu_h / nullif(u.agents_per_accelerator, 0) AS usd_agent_hour,
       p.usd_gpu_h / (3600 * nullif(u.turns_s_gpu, 0)) AS usd_turn,
       u.joules_per_generated_token
FROM units u
JOIN gpu_hour_prices p ON p.accelerator = u.accelerator
