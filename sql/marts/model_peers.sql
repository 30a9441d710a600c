-- Each listed model against the median of the open-weight models of its size class.
-- Unit of a row: a listed model and a metric it has a figure for.
-- Reads: models, model_facts.
-- Peers are the other listings with open weights and the same size class, from the same source and origin. An
-- Intelligence Index is set beside indices of the same version and kind alone: measured with measured, estimated with estimated.
-- published_median is what the publisher itself gives as the median of comparable models.
WITH listed AS (
  SELECT * FROM (
    UNPIVOT (
      SELECT model_id, model_key, slug, name, creator, open_weights, size_class, index_version, index_is_estimated,
             intelligence_index, output_tok_s, input_usd_mtok, output_usd_mtok,
             source, origin, provenance, publication, publisher, stated_date, source_url, valid_from
      FROM models
    ) ON intelligence_index, output_tok_s, input_usd_mtok, output_usd_mtok INTO NAME metric VALUE value
  )
),
kinds AS (
  SELECT * REPLACE (CASE metric WHEN 'intelligence_index' THEN index_version END AS index_version,
                    CASE metric WHEN 'intelligence_index' THEN index_is_estimated END AS index_is_estimated)
  FROM listed
),
medians AS (
  SELECT m.model_id, m.origin, m.publication, m.metric, median(p.value) AS peer_median, count(*) AS peers
  FROM kinds m
  JOIN kinds p ON p.metric = m.metric AND p.size_class = m.size_class AND p.source = m.source AND p.origin = m.origin
              AND p.publication IS NOT DISTINCT FROM m.publication
              AND p.index_version IS NOT DISTINCT FROM m.index_version AND p.index_is_estimated IS NOT DISTINCT FROM m.index_is_estimated
  WHERE p.open_weights AND p.model_id <> m.model_id
  GROUP BY ALL
),
published AS (
  SELECT model_key, fact, value, publisher, publication, source, origin, source_url, valid_from
  FROM model_facts
  WHERE starts_with(fact, 'peer_median_') AND value IS NOT NULL
  QUALIFY row_number() OVER (PARTITION BY model_key, fact ORDER BY origin = 'curated', valid_from DESC, version_id) = 1
)
SELECT k.model_id, k.model_key, k.slug, k.name, k.creator, k.open_weights, k.size_class, k.metric, k.value,
       m.peer_median, coalesce(m.peers, 0) AS peers, k.value / nullif(m.peer_median, 0) AS ratio,
       f.value AS published_median, f.publisher AS published_by, f.source AS published_source, f.origin AS published_origin,
       f.publication AS published_in, f.source_url AS published_url, f.valid_from AS published_from,
       k.index_version, k.index_is_estimated, k.source, k.origin, k.provenance, k.publication, k.publisher, k.stated_date, k.source_url, k.valid_from,
       CASE WHEN k.size_class IS NULL THEN 'the listing states no size class'
            WHEN m.peers IS NULL THEN 'no other open-weight model of this size class has the figure' END AS unknown
FROM kinds k
LEFT JOIN medians m ON m.model_id = k.model_id AND m.origin = k.origin AND m.publication IS NOT DISTINCT FROM k.publication AND m.metric = k.metric
LEFT JOIN published f ON f.model_key = k.model_key AND f.fact = 'peer_median_' || k.metric
