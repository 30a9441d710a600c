-- AA-AgentPerf values that appeared, changed, vanished or changed hands.
-- Unit of a row: one happening of one entry (model, system, tier) at one refresh; what changed with it stands in co_changed.
-- Reads: events.opened_agentperf_results, events.ended_agentperf_results, history.agentperf_results.
WITH opened AS (
  SELECT *, concat_ws('|', model, system, slo_p25_tok_s, slo_p95_ttft_s) AS entry,
         CASE WHEN slo_p25_tok_s IS NULL THEN coalesce(' (' || slo_label || ')', '')
              ELSE ' at ' || trimmed(slo_p25_tok_s, 1) || ' tok/s' END AS tier
  FROM events.opened_agentperf_results
  WHERE is_news
),
appeared AS (
  SELECT o.*,
         EXISTS (FROM history.agentperf_results k
                 WHERE k.source = o.source AND k.origin = o.origin AND k.recorded_at < o.recorded_at
                   AND concat_ws('|', k.model, k.system, k.slo_p25_tok_s, k.slo_p95_ttft_s) = o.entry) AS entry_known,
         row_number() OVER (PARTITION BY o.source, o.entry, o.snapshot_id
                            ORDER BY o.is_return, CASE o.metric WHEN 'agents_per_mw' THEN 1 WHEN 'throughput_tok_s_mw' THEN 2 WHEN 'agents_per_accelerator' THEN 3 ELSE 4 END, o.metric) AS place
  FROM opened o
  WHERE o.former IS NULL
),
changed AS (
  SELECT o.*,
         o.value IS DISTINCT FROM o.former.value AND NOT is_rounding(o.former.value, o.value) AS value_moved,
         o.configured_by IS DISTINCT FROM o.former.configured_by AND o.configured_by IS NOT NULL AND o.former.configured_by IS NOT NULL AS hands_changed
  FROM opened o
  WHERE o.former IS NOT NULL
),
ranked AS (
  SELECT *, row_number() OVER (PARTITION BY source, entry, snapshot_id ORDER BY hands_changed DESC, value_moved DESC,
                               CASE metric WHEN 'agents_per_mw' THEN 1 WHEN 'throughput_tok_s_mw' THEN 2 ELSE 3 END, metric) AS place
  FROM changed
),
gone AS (
  SELECT e.*, concat_ws('|', e.model, e.system, e.slo_p25_tok_s, e.slo_p95_ttft_s) AS entry,
         row_number() OVER (PARTITION BY e.source, e.model, e.system, e.slo_p25_tok_s, e.slo_p95_ttft_s, e.ended_by ORDER BY e.metric) AS place
  FROM events.ended_agentperf_results e
)
SELECT CASE WHEN is_return THEN 'entry_returned' WHEN entry_known THEN 'metric_published' ELSE 'entry_added' END AS kind,
       CASE WHEN is_return THEN 'notable' ELSE 'headline' END AS severity,
       source, model, system AS entity, vendor, accelerator, entry AS key, metric AS field, NULL AS old_value, value::VARCHAR AS new_value,
       (SELECT list(a.metric || ' ' || amount(a.value) ORDER BY a.metric) FROM appeared a
        WHERE a.source = p.source AND a.entry = p.entry AND a.snapshot_id = p.snapshot_id AND a.place > 1) AS co_changed,
       valid_from AS happened_at, changed_after, recorded_at AS detected_at, source_url,
       CASE WHEN is_return THEN 'Back on AA-AgentPerf: ' WHEN entry_known THEN 'First ' || metric_unit(metric) || ' for ' ELSE 'New on AA-AgentPerf: ' END
         || model || ' on ' || coalesce(accelerator, system) || tier || ': ' || amount(value) || ' ' || metric_unit(metric)
         || coalesce(', configured by ' || configured_by, '') AS summary
FROM appeared p
WHERE place = 1
UNION ALL BY NAME
SELECT CASE WHEN hands_changed THEN 'configured_by_changed' ELSE 'value_changed' END AS kind,
       CASE WHEN hands_changed OR value_moved THEN 'headline' ELSE 'routine' END AS severity,
       source, model, system AS entity, vendor, accelerator, entry AS key,
       CASE WHEN hands_changed THEN 'configured_by' WHEN value_moved THEN metric
            WHEN config_id IS DISTINCT FROM former.config_id THEN 'config_id' WHEN accelerators IS DISTINCT FROM former.accelerators THEN 'accelerators' ELSE metric END AS field,
       CASE WHEN hands_changed THEN former.configured_by WHEN value_moved THEN former.value::VARCHAR
            WHEN config_id IS DISTINCT FROM former.config_id THEN former.config_id WHEN accelerators IS DISTINCT FROM former.accelerators THEN former.accelerators::VARCHAR
            ELSE former.value::VARCHAR END AS old_value,
       CASE WHEN hands_changed THEN configured_by WHEN value_moved THEN value::VARCHAR
            WHEN config_id IS DISTINCT FROM former.config_id THEN config_id WHEN accelerators IS DISTINCT FROM former.accelerators THEN accelerators::VARCHAR
            ELSE value::VARCHAR END AS new_value,
       list_concat(
         CASE WHEN hands_changed AND value_moved THEN [metric || ' ' || amount(former.value) || ' → ' || amount(value)] ELSE [] END,
         coalesce((SELECT list(a.metric || ' ' || amount(a.former.value) || ' → ' || amount(a.value) ORDER BY a.metric) FROM ranked a
                   WHERE a.source = r.source AND a.entry = r.entry AND a.snapshot_id = r.snapshot_id AND a.place > 1 AND a.value_moved), [])) AS co_changed,
       valid_from AS happened_at, changed_after, recorded_at AS detected_at, source_url,
       CASE WHEN hands_changed
            THEN coalesce(accelerator, system) || ' on ' || model || tier || ' is now configured by ' || configured_by || ' instead of ' || former.configured_by
                 || CASE WHEN value_moved THEN '; ' || amount(former.value) || ' → ' || amount(value) || ' ' || metric_unit(metric) || change(former.value, value) ELSE '' END
            WHEN value_moved
            THEN model || ' on ' || coalesce(accelerator, system) || tier || ': ' || amount(former.value) || ' → ' || amount(value) || ' ' || metric_unit(metric) || change(former.value, value)
            ELSE model || ' on ' || coalesce(accelerator, system) || tier || ': the entry''s configuration changed, its value did not' END AS summary
FROM ranked r
WHERE place = 1
UNION ALL BY NAME
SELECT CASE WHEN EXISTS (FROM history.agentperf_results k WHERE k.source = g.source AND k.scope = g.scope
                           AND k.valid_from <= g.valid_to AND (k.valid_to IS NULL OR k.valid_to > g.valid_to)
                           AND concat_ws('|', k.model, k.system, k.slo_p25_tok_s, k.slo_p95_ttft_s) = g.entry) THEN 'value_removed' ELSE 'entry_removed' END AS kind,
       'notable' AS severity, source, model, system AS entity, vendor, accelerator, entry AS key, metric AS field, value::VARCHAR AS old_value, NULL AS new_value,
       coalesce((SELECT list(b.metric || ' ' || amount(b.value) ORDER BY b.metric) FROM gone b
                 WHERE b.source = g.source AND b.entry = g.entry AND b.ended_by = g.ended_by AND b.place > 1), []) AS co_changed,
       valid_to AS happened_at, NULL AS changed_after, ended_at AS detected_at, source_url,
       model || ' on ' || coalesce(accelerator, system) || ': ' || amount(value) || ' ' || metric_unit(metric) || ' is no longer published' AS summary
FROM gone g
WHERE place = 1
