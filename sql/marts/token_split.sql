-- What the throughput of a measured point is made of: input read from cache, other input, generated tokens.
-- Unit of a row: a point.
-- Reads: operating_points.
-- output share = output / total; the rest is input; cached = input x hit rate, uncached = input x (1 - hit rate).
-- Without a hit rate cached and uncached are NULL, never 0; a server's hit rate and the one a trace would allow are
-- never put in each other's place (cache_hit_kind says which it is). Only for points of the data set `random` that state
-- no output is it reckoned from the request lengths, 8192/1024 where they are not stated; output_from says so.
WITH points AS (
  SELECT *,
         CASE WHEN output_tok_s_gpu IS NOT NULL THEN 'stated'
              WHEN dataset = 'random' AND isl IS NOT NULL AND osl IS NOT NULL THEN 'request lengths'
              WHEN dataset = 'random' THEN 'default request lengths 8192/1024' END AS output_from,
         CASE WHEN output_tok_s_gpu IS NOT NULL THEN output_tok_s_gpu / total_tok_s_gpu
              WHEN dataset = 'random' AND isl IS NOT NULL AND osl IS NOT NULL THEN osl / (isl + osl)
              WHEN dataset = 'random' THEN 1024 / (8192 + 1024) END AS share
  FROM operating_points
  WHERE status <> 'retracted' AND total_tok_s_gpu > 0
),
shares AS (
  SELECT *, CASE WHEN share BETWEEN 0 AND 1 THEN share END AS output_share
  FROM points
)
SELECT point_id, source, origin, model, model_key, model_id, accelerator, vendor, scenario, dataset, concurrency, interactivity_tok_s, interactivity_kind, status, flags,
       total_tok_s_gpu, output_share, output_from,
       (1 - output_share) * cache_hit_ratio AS cached_input_share,
       (1 - output_share) * cache_hit_ratio_low AS cached_input_share_low,
       (1 - output_share) * cache_hit_ratio_high AS cached_input_share_high,
       (1 - output_share) * (1 - cache_hit_ratio) AS uncached_input_share,
       (1 - output_share) * (1 - cache_hit_ratio_high) AS uncached_input_share_low,
       (1 - output_share) * (1 - cache_hit_ratio_low) AS uncached_input_share_high,
       total_tok_s_gpu * output_share AS output_tok_s_gpu,
       total_tok_s_gpu * (1 - output_share) * cache_hit_ratio AS cached_input_tok_s_gpu,
       total_tok_s_gpu * (1 - output_share) * (1 - cache_hit_ratio) AS uncached_input_tok_s_gpu,
       cache_hit_ratio, cache_hit_kind, measured_on, provenance, publication, publisher, source_url
FROM shares
