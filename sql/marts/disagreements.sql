-- One key, two publications, different figures: who says what, when, and what may lie behind it.
-- Unit of a row: two statements that differ by more than the coarser one's rounding (or one figure under two service-level labels);
-- the earlier statement stands first.
-- Reads: agentperf_results, models, model_facts, prices, model_names.
WITH results AS (
  SELECT model, model_key, accelerator, metric AS fact, slo_p25_tok_s, slo_p95_ttft_s, slo_label, value, metric AS unit, qualifier, NULL::VARCHAR AS offer,
         source, origin, provenance, publication, publisher, stated_date, measured_on, source_url, valid_from
  FROM agentperf_results
  WHERE accelerator IS NOT NULL
),
listings AS (
  UNPIVOT (
    SELECT name AS model, model_key, ttft_s, output_tok_s, input_usd_mtok, output_usd_mtok, cached_input_usd_mtok, intelligence_index,
           source, origin, provenance, publication, publisher, stated_date, source_url, valid_from
    FROM models
  ) ON ttft_s, output_tok_s, input_usd_mtok, output_usd_mtok, cached_input_usd_mtok, intelligence_index INTO NAME fact VALUE value
),
facts AS (
  SELECT model, model_key, fact, value, unit, qualifier, offer, source, origin, provenance, publication, publisher, stated_date, source_url, valid_from
  FROM model_facts
  WHERE value IS NOT NULL
),
list_prices AS (
  SELECT p.item AS model, coalesce(n.model_key, fold_name(p.item)) AS model_key, p.component || '_usd_mtok' AS fact, p.low AS value, p.unit, p.qualifier,
         p.seller AS offer, p.source, p.origin, p.provenance, p.publication, p.publisher, p.stated_date, p.source_url, p.valid_from
  FROM prices p
  LEFT JOIN model_names n ON n.name = fold_name(p.item)
  WHERE p.price_basis IN ('hosted', 'router') AND p.unit = 'usd_mtok' AND p.low = p.high AND p.component IN ('input', 'cached_input', 'output')
),
statements AS (
  SELECT 'result' AS statement_of, * FROM results
  UNION ALL BY NAME
  SELECT 'listing' AS statement_of, *, CASE fact WHEN 'ttft_s' THEN 's' WHEN 'output_tok_s' THEN 'tok/s' WHEN 'intelligence_index' THEN '0 to 100' ELSE 'usd_mtok' END AS unit
  FROM listings
  UNION ALL BY NAME
  SELECT 'fact' AS statement_of, * FROM facts
  UNION ALL BY NAME
  SELECT 'price' AS statement_of, * FROM list_prices
),
numbered AS (
  SELECT *, coalesce(publication, source || ', ' || origin) AS said_in,
         row_number() OVER (ORDER BY valid_from, statement_of, source, origin, publication, source_url, model_key, accelerator, fact, slo_p25_tok_s, offer, value) AS place
  FROM statements
),
pairs AS (
  SELECT a.*, COLUMNS(b.*) AS "other_\0",
         CASE WHEN a.statement_of = 'result' AND a.slo_p25_tok_s IS DISTINCT FROM b.slo_p25_tok_s THEN 'service_level_label'
              WHEN a.statement_of = 'result' THEN 'agentperf_value'
              WHEN 'price' IN (a.statement_of, b.statement_of) OR contains(a.fact, 'usd') THEN 'list_price'
              ELSE 'model_fact' END AS kind
  FROM numbered a
  JOIN numbered b ON b.model_key = a.model_key AND b.fact = a.fact AND b.accelerator IS NOT DISTINCT FROM a.accelerator
                 AND b.place > a.place AND b.said_in <> a.said_in
  WHERE CASE
          WHEN a.statement_of = 'result' AND b.statement_of = 'result' THEN
            a.slo_p25_tok_s IS NOT NULL AND b.slo_p25_tok_s IS NOT NULL
            AND CASE WHEN a.slo_p25_tok_s = b.slo_p25_tok_s
                     THEN beyond_rounding(a.value, b.value) AND (a.slo_p95_ttft_s IS NULL OR b.slo_p95_ttft_s IS NULL OR a.slo_p95_ttft_s = b.slo_p95_ttft_s)
                     ELSE NOT beyond_rounding(a.value, b.value) END
          WHEN 'result' IN (a.statement_of, b.statement_of) THEN false
          WHEN a.statement_of = 'fact' AND b.statement_of = 'fact' THEN
            a.offer IS NOT DISTINCT FROM b.offer AND a.unit IS NOT DISTINCT FROM b.unit AND beyond_rounding(a.value, b.value)
          WHEN 'listing' NOT IN (a.statement_of, b.statement_of) OR a.unit <> b.unit THEN false
          WHEN 'price' IN (a.statement_of, b.statement_of) OR contains(a.fact, 'usd') THEN abs(a.value - b.value) > 0.005
          ELSE beyond_rounding(a.value, b.value)
        END
)
SELECT kind, model, model_key, accelerator, fact, unit,
       value, other_value, other_value / nullif(value, 0) AS ratio,
       slo_p25_tok_s, other_slo_p25_tok_s, slo_label, other_slo_label,
       qualifier, other_qualifier, offer, other_offer,
       source, other_source, origin, other_origin, provenance, other_provenance,
       publication, other_publication, publisher, other_publisher,
       valid_from AS stated_from, other_valid_from AS other_stated_from, stated_date, other_stated_date,
       measured_on, other_measured_on, source_url, other_source_url,
       date_diff('day', valid_from::DATE, other_valid_from::DATE) AS days_apart,
       CASE kind
         WHEN 'service_level_label' THEN 'one result under two labels: ' || trimmed(slo_p25_tok_s, 1) || ' and ' || trimmed(other_slo_p25_tok_s, 1) || ' tok/s per user'
         WHEN 'list_price' THEN CASE WHEN offer IS DISTINCT FROM other_offer THEN 'prices of ' || coalesce(offer, publisher, 'the listing') || ' and ' || coalesce(other_offer, other_publisher, 'the listing')
                                     ELSE 'one listing at two times' END
         WHEN 'model_fact' THEN CASE WHEN statement_of <> other_statement_of THEN 'measured by others on other work: ' || coalesce(offer, publisher, 'the listing') || ' and ' || coalesce(other_offer, other_publisher, 'the listing')
                                     WHEN statement_of = 'listing' THEN 'one listing at two times' ELSE 'two publications' END
         ELSE 'published ' || date_diff('day', valid_from::DATE, other_valid_from::DATE) || ' days apart: a later run, or one of the two is wrong'
              || coalesce('; the second is dated: ' || other_stated_date, '') || coalesce('; the first is dated: ' || stated_date, '')
       END AS why
FROM pairs
