-- Deployments that SGLang's cookbook gained or lost: one event a commit and model.
-- Unit of a row: the measured rows of one model in one commit.
-- Reads: events.opened_operating_points, events.ended_operating_points, history.pull_requests, events.watched_names.
WITH opened AS (
  SELECT *, fold_name(model) IN (FROM events.watched_names) AS watched
  FROM events.opened_operating_points
  WHERE is_news AND source = 'sglang' AND status = 'active' AND (former IS NULL OR former.status = 'pending')
),
merged AS (
  SELECT source, model, scenario, snapshot_id, any_value(watched) AS watched, list(DISTINCT accelerator ORDER BY accelerator) AS accelerators, CASE WHEN count(DISTINCT vendor) = 1 THEN min(vendor) END AS vendor,
         count(*) AS points, max(total_tok_s_gpu) AS top_tok_s_gpu, arg_max(interactivity_tok_s, (total_tok_s_gpu, interactivity_tok_s)) AS top_speed,
         min(valid_from) AS happened_at, max(changed_after) AS changed_after, min(recorded_at) AS detected_at, min(source_url) AS source_url, min(run_id) AS run_id
  FROM opened
  GROUP BY source, model, scenario, snapshot_id
),
first_seen AS (
  SELECT o.accelerator, o.snapshot_id, o.model, o.scenario
  FROM opened o
  WHERE NOT EXISTS (FROM history.operating_points k WHERE k.source = o.source AND fold_name(k.model) = fold_name(o.model) AND k.accelerator = o.accelerator
                      AND k.status = 'active' AND k.valid_from < o.valid_from)
    AND NOT EXISTS (FROM opened d WHERE d.snapshot_id = o.snapshot_id AND d.model = o.model AND d.scenario = 'aa_agentperf' AND d.watched)
  GROUP BY ALL
)
SELECT CASE WHEN watched AND m.scenario <> 'aa_agentperf' AND f.accelerator IS NOT NULL THEN 'first_results' ELSE 'deployments_merged' END AS kind,
       CASE WHEN watched AND (m.scenario = 'aa_agentperf' OR f.accelerator IS NOT NULL) THEN 'headline' ELSE 'notable' END AS severity,
       source, m.model, m.model AS entity, vendor, coalesce(f.accelerator, array_to_string(accelerators, ', ')) AS accelerator,
       concat_ws('|', m.model, m.scenario, m.snapshot_id, f.accelerator) AS key, 'points' AS field, NULL AS old_value, points::VARCHAR AS new_value, [] AS co_changed,
       happened_at, changed_after, detected_at, source_url,
       points || CASE WHEN points = 1 THEN ' deployment' ELSE ' deployments' END || ' of ' || m.model || ' on ' || coalesce(f.accelerator, array_to_string(accelerators, ', '))
         || CASE m.scenario WHEN 'aa_agentperf' THEN ' measured on AgentPerf' ELSE '' END || ' merged into the SGLang cookbook'
         || CASE WHEN top_tok_s_gpu IS NULL THEN '' ELSE '; up to ' || amount(top_tok_s_gpu) || ' tok/s per GPU' || coalesce(', where one user sees ' || trimmed(top_speed, 1) || ' tok/s', '') END AS summary
FROM merged m
LEFT JOIN first_seen f ON m.watched AND m.scenario <> 'aa_agentperf' AND f.snapshot_id = m.snapshot_id AND f.model = m.model AND f.scenario = m.scenario
UNION ALL BY NAME
SELECT 'entry_removed' AS kind, 'notable' AS severity, source, model, model AS entity, CASE WHEN count(DISTINCT vendor) = 1 THEN min(vendor) END AS vendor,
       array_to_string(list(DISTINCT accelerator ORDER BY accelerator), ', ') AS accelerator, concat_ws('|', model, ended_by) AS key, 'points' AS field,
       count(*)::VARCHAR AS old_value, NULL AS new_value, [] AS co_changed, min(valid_to) AS happened_at, NULL AS changed_after, min(ended_at) AS detected_at, min(source_url) AS source_url,
       count(*) || CASE WHEN count(*) = 1 THEN ' deployment' ELSE ' deployments' END || ' of ' || model || ' on '
         || array_to_string(list(DISTINCT accelerator ORDER BY accelerator), ', ') || ' left the SGLang cookbook' AS summary
FROM events.ended_operating_points
WHERE source = 'sglang'
GROUP BY source, model, ended_by
