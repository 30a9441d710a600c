-- Accuracy gates and pull requests of SGLang's repository.
-- Unit of a row: one happening of one gate metric or pull request.
-- Reads: events.opened_accuracy_gates, events.ended_accuracy_gates, events.opened_pull_requests, events.watched_names.
WITH gates AS (
  SELECT *, fold_name(coalesce(model, '')) IN (FROM events.watched_names)
            OR EXISTS (SELECT 1 FROM events.watched_names n WHERE fold_name(regexp_extract(path, '([^/]+)[.]py$', 1)) LIKE 'test-' || n.name || '-%'
                       OR fold_name(regexp_extract(path, '([^/]+)[.]py$', 1)) = 'test-' || n.name) AS watched,
         coalesce(model, regexp_extract(path, '([^/]+)[.]py$', 1)) AS shown,
         CASE metric WHEN 'accept_length' THEN 'accept-length' ELSE metric END AS metric_words
  FROM events.opened_accuracy_gates
  WHERE is_news
),
kinds AS (
  SELECT *,
         CASE WHEN former IS NULL THEN CASE WHEN is_return THEN 'entry_returned' ELSE 'gate_added' END
              WHEN threshold_basis = 'measured' AND former.threshold_basis <> 'measured' THEN 'gate_filled'
              WHEN threshold > former.threshold THEN 'gate_threshold_raised'
              WHEN threshold < former.threshold THEN 'gate_threshold_lowered'
              ELSE 'gate_state_changed' END AS kind
  FROM gates
)
SELECT kind,
       CASE WHEN kind = 'gate_filled' AND watched THEN 'headline' WHEN kind IN ('gate_filled', 'gate_added', 'gate_threshold_lowered') THEN 'notable' ELSE 'routine' END AS severity,
       source, shown AS model, shown AS entity, vendor, accelerator, concat_ws('|', gate_id, kind) AS key, metric AS field,
       CASE WHEN kind = 'gate_state_changed' THEN concat_ws(', ', former.threshold_basis, former.run_state, former.evidence_value) ELSE former.threshold::VARCHAR END AS old_value,
       CASE WHEN kind = 'gate_state_changed' THEN concat_ws(', ', threshold_basis, run_state, evidence_value) ELSE threshold::VARCHAR END AS new_value,
       list_filter([
         CASE WHEN former IS NOT NULL AND threshold IS DISTINCT FROM former.threshold AND kind = 'gate_filled' THEN 'threshold ' || coalesce(trimmed(former.threshold, 4), 'none') || ' → ' || coalesce(trimmed(threshold, 4), 'none') END,
         CASE WHEN former IS NOT NULL AND run_state IS DISTINCT FROM former.run_state THEN 'run state ' || former.run_state || ' → ' || run_state END,
         CASE WHEN former IS NOT NULL AND evidence_stale AND NOT coalesce(former.evidence_stale, false) THEN 'its evidence is older than its harness' END], lambda x: x IS NOT NULL) AS co_changed,
       valid_from AS happened_at, changed_after, recorded_at AS detected_at, source_url,
       CASE kind
         WHEN 'gate_filled' THEN 'The ' || metric_words || ' gate of ' || shown || ' on ' || coalesce(accelerator, 'AMD') || ' now has a measured threshold: ' || coalesce(trimmed(threshold, 4), threshold_text)
              || coalesce(' (measured ' || trimmed(evidence_value, 4) || coalesce(', run ' || evidence_run, '') || ')', '')
         WHEN 'gate_added' THEN 'A new ' || metric_words || ' gate of ' || shown || ' on ' || coalesce(accelerator, 'AMD') || ': ' || coalesce(trimmed(threshold, 4), threshold_text, 'no threshold') || ', ' || replace(threshold_basis, '_', ' ')
         WHEN 'gate_threshold_raised' THEN 'The ' || metric_words || ' threshold of ' || shown || ' was raised from ' || trimmed(former.threshold, 4) || ' to ' || trimmed(threshold, 4)
         WHEN 'gate_threshold_lowered' THEN 'The ' || metric_words || ' threshold of ' || shown || ' was lowered from ' || trimmed(former.threshold, 4) || ' to ' || trimmed(threshold, 4)
         WHEN 'entry_returned' THEN 'The ' || metric_words || ' gate of ' || shown || ' is back'
         ELSE 'The ' || metric_words || ' gate of ' || shown || ' rests on other evidence: ' || replace(threshold_basis, '_', ' ') || ', ' || replace(run_state, '_', ' ')
              || CASE WHEN evidence_stale THEN ', older than its harness' ELSE '' END || coalesce(', measured ' || trimmed(evidence_value, 4), '') END AS summary
FROM kinds
UNION ALL BY NAME
SELECT 'gate_removed' AS kind, 'routine' AS severity, source, coalesce(model, path) AS model, coalesce(model, path) AS entity, vendor, accelerator, concat_ws('|', gate_id, 'removed') AS key, metric AS field,
       threshold::VARCHAR AS old_value, NULL AS new_value, [] AS co_changed, valid_to AS happened_at, NULL AS changed_after, ended_at AS detected_at, source_url,
       'The ' || metric || ' gate of ' || coalesce(model, path) || ' was removed' AS summary
FROM events.ended_accuracy_gates
UNION ALL BY NAME
SELECT CASE WHEN reverted_by IS DISTINCT FROM former.reverted_by AND reverted_by IS NOT NULL THEN 'pull_request_reverted' WHEN state = 'merged' THEN 'pull_request_merged' ELSE 'pull_request_opened' END AS kind,
       CASE WHEN reverted_by IS DISTINCT FROM former.reverted_by AND reverted_by IS NOT NULL THEN 'notable'
            WHEN state = 'open' AND coalesce(vendor, 'unknown') <> 'unknown' THEN 'notable' ELSE 'routine' END AS severity,
       source, models[1] AS model, '#' || number AS entity, nullif(vendor, 'unknown') AS vendor, array_to_string(hardware, ', ') AS accelerator, repo || '#' || number AS key, 'state' AS field,
       former.state AS old_value, state AS new_value, topics AS co_changed,
       CASE WHEN former IS NULL AND state = 'open' THEN coalesce(created_at, valid_from) ELSE coalesce(merged_at, valid_from) END AS happened_at, changed_after, recorded_at AS detected_at, source_url,
       'Pull request ' || number || CASE WHEN reverted_by IS DISTINCT FROM former.reverted_by AND reverted_by IS NOT NULL THEN ' was reverted by ' || reverted_by WHEN state = 'merged' THEN ' was merged' ELSE ' was opened' END
         || coalesce(' by ' || author, '') || ': ' || title AS summary
FROM events.opened_pull_requests
WHERE is_news AND (former IS NULL AND state IN ('open', 'merged') OR former.state IS DISTINCT FROM state AND state IN ('open', 'merged') OR reverted_by IS DISTINCT FROM former.reverted_by AND reverted_by IS NOT NULL)
