-- Resources that stopped answering or came back, and pages whose fields changed.
-- Unit of a row: one happening of one resource.
-- Reads: history.snapshots.
WITH attempts AS (
  SELECT *, outcome IN ('changed', 'unchanged', 'not_modified') AS good,
         lag(outcome IN ('changed', 'unchanged', 'not_modified')) OVER w AS was_good,
         max(captured_at) OVER (PARTITION BY source, resource, scope ORDER BY captured_at RANGE BETWEEN UNBOUNDED PRECEDING AND INTERVAL 1 MICROSECOND PRECEDING) AS changed_after
  FROM history.snapshots
  WINDOW w AS (PARTITION BY source, resource, scope ORDER BY captured_at, held_at, snapshot_id)
)
SELECT CASE WHEN good THEN 'source_recovered' ELSE 'source_down' END AS kind, 'routine' AS severity, source, NULL AS model, resource AS entity, NULL AS vendor, NULL AS accelerator,
       concat_ws('|', scope, snapshot_id) AS key, 'outcome' AS field, NULL AS old_value, outcome AS new_value, [] AS co_changed,
       captured_at AS happened_at, changed_after, captured_at AS detected_at, url AS source_url,
       resource || CASE WHEN good THEN ' answers again' WHEN outcome = 'no_data' THEN ' holds no data; the last good rows stay' WHEN outcome = 'invalid' THEN ' could not be used; the last good rows stay'
                        ELSE ' could not be read (' || replace(outcome, '_', ' ') || '); the last good rows stay' END AS summary
FROM attempts
WHERE captured_at >= getvariable('events_since') AND was_good IS NOT NULL AND good IS DISTINCT FROM was_good
UNION ALL BY NAME
SELECT 'source_fields_changed' AS kind, 'routine' AS severity, source, NULL AS model, resource AS entity, NULL AS vendor, NULL AS accelerator,
       concat_ws('|', scope, 'fields', left(sha256(warnings), 16)) AS key, 'fields' AS field, NULL AS old_value, NULL AS new_value, from_json(warnings, '["VARCHAR"]') AS co_changed,
       captured_at AS happened_at, changed_after, captured_at AS detected_at, url AS source_url,
       resource || ' changed its fields: ' || array_to_string(from_json(warnings, '["VARCHAR"]'), '; ') AS summary
FROM attempts
WHERE captured_at >= getvariable('events_since') AND warnings IS NOT NULL AND warnings LIKE '%source fields %'
