-- Rules of AA's: configurations and methodologies.
-- Unit of a row: one happening of one configuration or benchmark.
-- Reads: events.opened_configurations, events.opened_methodologies, history.agentperf_results, history.snapshots.
-- That no result names a configuration is said only where the results could be read in the same refresh, or since.
WITH configurations AS (
  SELECT o.*,
         configured_by IS NOT NULL AND vendor IS NOT NULL AND fold_name(configured_by) = fold_name(vendor)
           AND NOT EXISTS (FROM history.agentperf_results r WHERE r.config_id = o.config_id AND r.recorded_at <= o.recorded_at)
           AND EXISTS (FROM history.snapshots s WHERE s.source = o.source AND s.resource = 'datacenter' AND s.captured_at >= o.recorded_at
                       AND s.outcome IN ('changed', 'unchanged', 'not_modified')) AS ahead_of_results
  FROM events.opened_configurations o
  WHERE is_news AND former IS NULL
)
SELECT 'configuration_added' AS kind, CASE WHEN ahead_of_results THEN 'headline' ELSE 'routine' END AS severity,
       source, model, coalesce(system, title, config_id) AS entity, vendor, accelerator, config_id AS key, NULL AS field, NULL AS old_value, configured_by AS new_value, [] AS co_changed,
       valid_from AS happened_at, changed_after, recorded_at AS detected_at, source_url,
       'New configuration' || coalesce(' by ' || configured_by, '') || coalesce(' for ' || model, '') || coalesce(' on ' || coalesce(accelerator, system), '')
         || CASE WHEN ahead_of_results THEN '; no AgentPerf result names it yet' ELSE '' END AS summary
FROM configurations
UNION ALL BY NAME
SELECT 'methodology_changed' AS kind, 'notable' AS severity, source, NULL AS model, benchmark AS entity, NULL AS vendor, NULL AS accelerator, benchmark AS key, 'text' AS field,
       former.version AS old_value, version AS new_value, [] AS co_changed, valid_from AS happened_at, changed_after, recorded_at AS detected_at, source_url,
       'The rules of ' || benchmark || ' changed' || CASE WHEN version IS DISTINCT FROM former.version AND version IS NOT NULL THEN ' (now ' || version || ')' ELSE '' END AS summary
FROM events.opened_methodologies
WHERE is_news AND former IS NOT NULL
