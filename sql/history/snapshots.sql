-- Every fetch and what became of it, unchanged and failed ones too.
-- Unit of a row: one snapshot: a capture, or a complete set of captures.
-- Reads: history.snapshots.
-- as of: captured_at <= as_of.as_of_end()
SELECT snapshot_id, source, resource, scope, held_at, captured_at, outcome, sha256, bytes, url, parts::BIGINT AS parts, rows, changed_rows,
       message, accepted_reason, failures, warnings, shape, unmatched_names, parser_version, content_sha256
FROM history.snapshots
