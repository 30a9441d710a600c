-- What a million tokens cost on one's own accelerators against what they cost at the model's hosted list price.
-- Unit of a row: a cost over all tokens at a speed per user, at a price basis and a share of time the hardware is busy (1 and 0.5, no overhead).
-- Reads: cost_at_interactivity, frontier_points, token_split, models, prices, model_facts.
-- A list price is spread over cached input, other input and output by the split of a measured point: the cost's own where
-- the cost stands at a measured point with a known split, otherwise one borrowed from a named point: of the same curve, or
-- of the AA-AgentPerf scenario; entered by hand for a cost entered by hand, the same accelerator and the nearest speed first.
-- A stated cost knows its owning price alone; at rental it is priced anew by the ratio of two hour prices of one list.
-- ratio_naive sets the 7:2:1 blend against the owning cost of busy hardware: the comparison that misleads.
WITH listed AS (
  SELECT *, origin = 'curated' AS by_hand,
         cached_price(cached_input_usd_mtok, input_usd_mtok, cache_discount_ratio) AS cached_usd_mtok
  FROM models
  WHERE input_usd_mtok IS NOT NULL AND output_usd_mtok IS NOT NULL
),
costs AS (
  SELECT *, origin = 'curated' AS by_hand FROM cost_at_interactivity
  WHERE cost_of = 'total' AND usd_mtok IS NOT NULL
),
hour_prices AS (
  SELECT o.item, o.low AS owning_usd_gpu_h, r.low AS rental_usd_gpu_h, r.seller, r.source, r.origin, r.publication, r.source_url
  FROM prices o
  JOIN prices r ON r.item = o.item AND r.component = o.component AND r.unit = o.unit AND r.seller = o.seller AND r.source = o.source AND r.origin = o.origin
               AND r.publication IS NOT DISTINCT FROM o.publication
  WHERE o.component = 'gpu_hour' AND o.unit = 'usd_gpu_h' AND o.price_basis = 'owning' AND r.price_basis = 'rental' AND o.low = o.high AND r.low = r.high
  QUALIFY row_number() OVER (PARTITION BY o.item, o.low ORDER BY r.origin = 'curated', r.valid_from DESC, r.seller, r.low) = 1
),
priced AS (
  SELECT c.*, NULL::VARCHAR AS repriced_from FROM costs c
  UNION ALL BY NAME
  SELECT c.* REPLACE ('rental' AS price_basis, c.usd_mtok * h.rental_usd_gpu_h / c.usd_gpu_h AS usd_mtok, h.rental_usd_gpu_h AS usd_gpu_h, h.source AS price_source, h.origin AS price_origin),
         'priced anew by ' || usd(h.rental_usd_gpu_h) || ' against ' || usd(c.usd_gpu_h) || ' an accelerator hour (' || h.seller || ')' AS repriced_from
  FROM costs c
  JOIN hour_prices h ON h.item = c.accelerator AND h.owning_usd_gpu_h = c.usd_gpu_h
  WHERE c.method = 'stated' AND c.price_basis = 'owning'
    AND NOT EXISTS (FROM costs k WHERE k.comparable_set = c.comparable_set AND k.interactivity_tok_s = c.interactivity_tok_s AND k.price_basis = 'rental')
),
owning AS (
  SELECT comparable_set, interactivity_tok_s, max(usd_mtok) AS owning_usd_mtok FROM priced
  WHERE price_basis = 'owning'
  GROUP BY ALL
),
hosted AS (
  SELECT for_by_hand, m
  FROM listed m
  CROSS JOIN (VALUES (true), (false)) c(for_by_hand)
  QUALIFY row_number() OVER (PARTITION BY m.model_key, for_by_hand ORDER BY m.by_hand <> for_by_hand, m.origin = 'api', m.valid_from DESC, m.model_id) = 1
),
splits AS MATERIALIZED (
  SELECT t.point_id, t.model_key, t.accelerator, t.scenario, t.interactivity_tok_s, t.cached_input_share, t.uncached_input_share, t.output_share,
         t.cache_hit_ratio, t.cache_hit_kind, t.measured_on, t.source, t.origin, t.provenance, t.publication, t.publisher, t.source_url, f.comparable_set, t.origin = 'curated' AS by_hand,
         row_number() OVER (ORDER BY t.point_id, t.source, t.origin, t.publication, f.comparable_set) AS split_number
  FROM token_split t
  LEFT JOIN frontier_points f USING (point_id)
  WHERE t.cached_input_share IS NOT NULL AND t.status IN ('active', 'superseded') AND len(coalesce(t.flags, [])) = 0
    AND (f.point_id IS NOT NULL OR t.scenario = 'aa_agentperf')
),
places AS (
  SELECT DISTINCT model_key, comparable_set, accelerator, interactivity_tok_s, by_hand FROM costs
),
near AS (
  SELECT p.*, false AS is_of_other_curve, s.by_hand <> p.by_hand AS is_of_other_hand, s.accelerator <> p.accelerator AS is_elsewhere,
         abs(s.interactivity_tok_s - p.interactivity_tok_s) AS tok_s_apart, s.split_number
  FROM places p
  JOIN splits s ON s.model_key = p.model_key AND s.comparable_set = p.comparable_set
  UNION ALL
  SELECT p.*, true, s.by_hand <> p.by_hand, s.accelerator <> p.accelerator, abs(s.interactivity_tok_s - p.interactivity_tok_s), s.split_number
  FROM places p
  JOIN splits s ON s.model_key = p.model_key AND s.scenario = 'aa_agentperf' AND s.comparable_set IS DISTINCT FROM p.comparable_set
),
nearest AS (
  SELECT model_key, comparable_set, accelerator, interactivity_tok_s, by_hand,
         min(struct_pack(is_of_other_curve, is_of_other_hand, is_elsewhere, tok_s_apart, split_number)) AS best
  FROM near
  GROUP BY ALL
),
hits AS (
  SELECT model_key, value, offer, publisher, source, origin, publication, source_url FROM model_facts
  WHERE fact = 'cache_hit_ratio' AND value BETWEEN 0 AND 1
  QUALIFY row_number() OVER (PARTITION BY model_key ORDER BY valid_from DESC, version_id) = 1
),
weighed AS (
  SELECT c.*, o.owning_usd_mtok, h.m AS hosted, CASE WHEN s.split_number IS NOT NULL THEN s END AS split, k AS hit,
         c.method = 'measured' AND NOT n.best.is_of_other_curve AND n.best.tok_s_apart <= 1e-6 * c.interactivity_tok_s AS is_own,
         rent_usd_mtok(s.cached_input_share, s.uncached_input_share, s.output_share, h.m.cached_usd_mtok, h.m.input_usd_mtok, h.m.output_usd_mtok) AS rent_usd_mtok_same_split,
         coalesce(h.m.blend_7_2_1_usd_mtok, blend(7, 2, 1, h.m.cached_usd_mtok, h.m.input_usd_mtok, h.m.output_usd_mtok)) AS rent_usd_mtok_blended
  FROM priced c
  LEFT JOIN owning o ON o.comparable_set = c.comparable_set AND o.interactivity_tok_s = c.interactivity_tok_s
  JOIN hosted h ON h.m.model_key = c.model_key AND h.for_by_hand = c.by_hand
  LEFT JOIN nearest n ON n.model_key = c.model_key AND n.comparable_set = c.comparable_set AND n.accelerator IS NOT DISTINCT FROM c.accelerator
                     AND n.interactivity_tok_s = c.interactivity_tok_s AND n.by_hand = c.by_hand
  LEFT JOIN splits s ON s.split_number = n.best.split_number
  LEFT JOIN hits k ON k.model_key = c.model_key
),
told AS (
  SELECT *,
         said([
           CASE WHEN split IS NULL THEN 'no point of this model tells how its tokens split'
                WHEN NOT is_own THEN 'token split borrowed from ' || split.accelerator || ' at ' || trimmed(split.interactivity_tok_s, 1) || ' tok/s per user'
                                     || coalesce(' (' || coalesce(split.publisher, split.source) || ')', '') END,
           repriced_from,
           CASE WHEN synthetic_acceptance THEN 'speculative acceptance was simulated in the measurement behind the own cost' END,
           CASE WHEN method = 'clamped' THEN 'the speed lies outside what was measured on ' || accelerator END,
           CASE WHEN hosted.cached_usd_mtok IS NULL THEN 'no price of cached input is listed' END,
           against('one user sees', trimmed(interactivity_tok_s, 1) || ' tok/s', trimmed(hosted.output_tok_s, 1) || ' tok/s hosted'),
           CASE WHEN split.cache_hit_ratio IS DISTINCT FROM hit.value
                THEN against('cache hit rate', trimmed(100 * split.cache_hit_ratio, 1) || ' %', trimmed(100 * hit.value, 1) || ' % hosted' || coalesce(' (' || hit.publisher || ')', '')) END
         ]) AS differences
  FROM weighed
),
loads AS (
  SELECT unnest([1.0, 0.5])::DOUBLE AS busy_share, 0.0::DOUBLE AS overhead_share
)
SELECT model, model_key, model_id, accelerator, vendor, precision, comparable_set, scenario, interactivity_tok_s AS own_interactivity_tok_s, interactivity_kind,
       method, price_basis, usd_gpu_h, busy_share, overhead_share, at_load(usd_mtok, busy_share, overhead_share) AS own_usd_mtok, price_source, price_origin, repriced_from,
       measured_to AS measured_on, source, origin, provenance, publication, publisher, stated_date, source_url, reported_via, publisher_interest,
       CASE WHEN is_own THEN 'own' WHEN split IS NOT NULL THEN 'borrowed' END AS split_source,
       split.cached_input_share AS cached_input_share, split.uncached_input_share AS uncached_input_share, split.output_share AS output_share,
       split.cache_hit_ratio AS split_hit_ratio, split.cache_hit_kind AS split_hit_kind, split.point_id AS split_point_id, split.accelerator AS split_accelerator,
       split.interactivity_tok_s AS split_interactivity_tok_s, split.measured_on AS split_measured_on, split.source AS split_point_source, split.origin AS split_origin,
       split.provenance AS split_provenance, split.publication AS split_publication, split.publisher AS split_publisher, split.source_url AS split_url,
       hosted.name AS hosted_name, hosted.input_usd_mtok AS hosted_input_usd_mtok, hosted.cached_usd_mtok AS hosted_cached_input_usd_mtok,
       hosted.output_usd_mtok AS hosted_output_usd_mtok, hosted.output_tok_s AS hosted_output_tok_s, hosted.source AS hosted_source, hosted.origin AS hosted_origin,
       hosted.provenance AS hosted_provenance, hosted.publication AS hosted_publication, hosted.source_url AS hosted_url, hosted.valid_from AS hosted_from,
       hit.value AS hosted_hit_ratio, hit.publisher AS hosted_hit_publisher, hit.source AS hosted_hit_source, hit.origin AS hosted_hit_origin, hit.source_url AS hosted_hit_url,
       rent_usd_mtok_same_split, rent_usd_mtok_blended, CASE WHEN hosted.blend_7_2_1_usd_mtok IS NULL THEN 'computed' ELSE 'stated' END AS blended_from,
       rent_usd_mtok_same_split / nullif(at_load(usd_mtok, busy_share, overhead_share), 0) AS ratio_same_split,
       rent_usd_mtok_blended / nullif(owning_usd_mtok, 0) AS ratio_naive,
       differences
FROM told CROSS JOIN loads
