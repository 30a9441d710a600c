-- What changed: one happening, one event, one plain sentence.
-- Unit of a row: one change.
-- Reads: history.change_events; history.snapshots for whether an InferenceX entry's own answer, which its key names, was good a second time.
-- as of: detected_at <= as_of.as_of_end()
SELECT e.*,
       e.source = 'inferencex' AND e.kind IN ('first_results', 'entry_added')
         AND NOT EXISTS (FROM history.snapshots s
                         JOIN history.snapshots first ON first.source = s.source AND first.scope = s.scope AND first.resource = s.resource
                         WHERE s.source = e.source AND first.snapshot_id = split_part(e.key, '|', -1) AND s.captured_at > e.detected_at AND s.outcome IN ('changed', 'unchanged', 'not_modified')) AS provisional
FROM history.change_events e
