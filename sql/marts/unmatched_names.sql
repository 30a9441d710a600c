-- Names of models and accelerators that no reference knows: what bears them is compared with nothing of another name.
-- Unit of a row: a name at a resource.
-- Reads: snapshots, model_names, accelerator_names, and the tables whose rows name a model or an accelerator.
-- Models that Artificial Analysis lists are known by its ids and do not count. `reported` names are those a reader told of
-- itself; one that stands in a row too counts as what it is there.
WITH rows_named AS (
  SELECT snapshot_id, source, model, accelerator, 'operating_points' AS table_name, valid_from FROM operating_points
  UNION ALL BY NAME SELECT snapshot_id, source, model, accelerator, 'agentperf_results' AS table_name, valid_from FROM agentperf_results
  UNION ALL BY NAME SELECT snapshot_id, source, model, accelerator, 'configurations' AS table_name, valid_from FROM configurations
  UNION ALL BY NAME SELECT snapshot_id, source, model, accelerator, 'stated_costs' AS table_name, valid_from FROM stated_costs
  UNION ALL BY NAME SELECT snapshot_id, source, model, accelerator, 'accuracy_gates' AS table_name, valid_from FROM accuracy_gates
  UNION ALL BY NAME SELECT snapshot_id, source, model, accelerator, 'subset_claims' AS table_name, valid_from FROM subset_claims
  UNION ALL BY NAME SELECT snapshot_id, source, model, 'model_facts' AS table_name, valid_from FROM model_facts
  UNION ALL BY NAME SELECT snapshot_id, source, accelerator, 'accelerator_power' AS table_name, valid_from FROM accelerator_power
  UNION ALL BY NAME SELECT snapshot_id, source, item AS accelerator, 'prices' AS table_name, valid_from FROM prices WHERE unit = 'usd_gpu_h'
),
named AS (
  SELECT snapshot_id, source, 'model' AS kind, model AS name, table_name, count(*) AS rows, min(valid_from) AS since FROM rows_named WHERE model IS NOT NULL GROUP BY ALL
  UNION ALL
  SELECT snapshot_id, source, 'accelerator', accelerator, table_name, count(*), min(valid_from) FROM rows_named WHERE accelerator IS NOT NULL GROUP BY ALL
),
unknown AS (
  SELECT n.* FROM named n
  WHERE CASE n.kind WHEN 'model' THEN fold_name(n.name) NOT IN (SELECT name FROM model_names)
                    ELSE plain_name(n.name) NOT IN (SELECT name FROM accelerator_names) END
),
in_rows AS (
  SELECT u.source, s.resource, u.kind, u.name, list_sort(list(DISTINCT u.table_name)) AS tables, sum(u.rows)::BIGINT AS rows, min(u.since) AS since
  FROM unknown u
  LEFT JOIN snapshots s ON s.source = u.source AND s.snapshot_id = u.snapshot_id
  GROUP BY ALL
),
newest AS (
  SELECT source, resource, unmatched_names, captured_at FROM snapshots
  WHERE outcome IN ('changed', 'unchanged')
  QUALIFY row_number() OVER (PARTITION BY source, resource, scope ORDER BY captured_at DESC, held_at DESC, snapshot_id) = 1
),
reported AS (
  SELECT source, resource, 'reported' AS kind, name, [] AS tables, 0 AS rows, min(captured_at) AS since
  FROM (SELECT source, resource, captured_at, unnest(unmatched_names) AS name FROM newest)
  GROUP BY ALL
)
SELECT source, resource, kind, name, tables, rows, since FROM in_rows
UNION ALL BY NAME
SELECT source, resource, kind, name, tables, rows, since FROM reported r
WHERE NOT EXISTS (FROM in_rows i WHERE i.source = r.source AND i.resource IS NOT DISTINCT FROM r.resource AND plain_name(i.name) = plain_name(r.name))
