-- Points that InferenceX added, retracted or restated.
-- Unit of a row: one model and accelerator at one refresh.
-- Reads: events.opened_operating_points, history.operating_points, events.watched_names.
WITH opened AS (
  SELECT *, fold_name(model) IN (FROM events.watched_names) AS watched
  FROM events.opened_operating_points
  WHERE source = 'inferencex' AND NOT is_start AND (date_source = 'capture' OR is_scope_start)
),
added AS (
  SELECT o.source, o.model, o.accelerator, any_value(o.vendor) AS vendor, any_value(o.watched) AS watched, o.snapshot_id, count(*) AS points,
         min(o.valid_from) AS happened_at, max(o.changed_after) AS changed_after, min(o.recorded_at) AS detected_at,
         arg_max(o.source_url, (o.total_tok_s_gpu, o.source_url)) AS source_url, max(o.total_tok_s_gpu) AS top_tok_s_gpu,
         list(DISTINCT o.attributed_to) FILTER (o.attributed_to IS NOT NULL AND o.attributed_to <> 'unknown') AS submitters,
         NOT EXISTS (FROM history.operating_points k
                     WHERE k.source = o.source AND fold_name(k.model) = fold_name(o.model) AND k.accelerator = o.accelerator AND k.recorded_at < min(o.recorded_at)) AS is_first
  FROM opened o
  WHERE o.former IS NULL AND o.status = 'active' AND NOT o.is_return
  GROUP BY o.source, o.model, o.accelerator, o.snapshot_id
)
SELECT CASE WHEN is_first THEN 'first_results' ELSE 'entry_added' END AS kind,
       CASE WHEN is_first AND watched THEN 'headline' ELSE 'routine' END AS severity,
       source, model, model AS entity, vendor, accelerator, concat_ws('|', model, accelerator, snapshot_id) AS key, 'points' AS field, NULL AS old_value, points::VARCHAR AS new_value,
       coalesce(list_transform(submitters, lambda s: 'submitted by ' || s), []) AS co_changed, happened_at, changed_after, detected_at, source_url,
       CASE WHEN is_first THEN 'InferenceX has first results of ' ELSE 'InferenceX has new results of ' END || model || ' on ' || accelerator || ': '
         || points || CASE WHEN points = 1 THEN ' point' ELSE ' points' END || ', up to ' || amount(round(top_tok_s_gpu)) || ' tok/s per GPU' AS summary
FROM added
UNION ALL BY NAME
SELECT 'retracted' AS kind, 'notable' AS severity, source, model, model AS entity, any_value(vendor) AS vendor, accelerator, concat_ws('|', model, accelerator, snapshot_id, 'retracted') AS key,
       'status' AS field, min(former.status) AS old_value, 'retracted' AS new_value, [] AS co_changed,
       min(valid_from) AS happened_at, max(changed_after) AS changed_after, min(recorded_at) AS detected_at, min(source_url) AS source_url,
       'InferenceX withdrew ' || count(*) || CASE WHEN count(*) = 1 THEN ' point' ELSE ' points' END || ' of ' || model || ' on ' || accelerator AS summary
FROM opened
WHERE status = 'retracted' AND former.status IS DISTINCT FROM 'retracted'
GROUP BY source, model, accelerator, snapshot_id
UNION ALL BY NAME
SELECT 'restated' AS kind, 'routine' AS severity, source, model, model AS entity, any_value(vendor) AS vendor, accelerator, concat_ws('|', model, accelerator, snapshot_id, 'restated') AS key,
       'total_tok_s_gpu' AS field, NULL AS old_value, count(*)::VARCHAR AS new_value, [] AS co_changed,
       min(valid_from) AS happened_at, max(changed_after) AS changed_after, min(recorded_at) AS detected_at, min(source_url) AS source_url,
       'InferenceX restated ' || count(*) || CASE WHEN count(*) = 1 THEN ' point' ELSE ' points' END || ' of ' || model || ' on ' || accelerator || ' under the same run' AS summary
FROM opened
WHERE former IS NOT NULL AND status = former.status AND total_tok_s_gpu IS DISTINCT FROM former.total_tok_s_gpu AND NOT is_rounding(former.total_tok_s_gpu, total_tok_s_gpu)
GROUP BY source, model, accelerator, snapshot_id
