-- How fresh each resource of each source is, and what its last attempts came to.
-- Unit of a row: source and resource.
-- Reads: snapshots, unmatched_names.
-- Freshness is told against the newest capture of the lake: `fresh` within 36 hours, `stale` after, `never` without a success.
-- A resource that is asked only when another one names something new is as fresh as that one, unless its own last attempt failed.
-- `collect` is a source's reader as a whole: that it broke off is noted, that it came to its end is told by the source's other snapshots.
WITH asked_after (source, resource, other) AS (
  VALUES ('sglang', 'cookbook', 'commits'), ('sglang', 'gates', 'commits'),
         ('inferencex', 'workflow_info', 'availability'), ('inferencex', 'past_rows', 'availability'),
         ('inferencex', 'history', 'availability'), ('inferencex', 'aggregates', 'benchmarks')
),
newest AS (
  SELECT max(captured_at) AS at_time FROM snapshots
),
attempts AS (
  SELECT source, resource, scope, captured_at, held_at, outcome, message, parser_version,
         outcome IN ('changed', 'unchanged', 'not_modified') AS good
  FROM snapshots
  UNION ALL BY NAME
  SELECT DISTINCT source, 'collect' AS resource, source || ':collect' AS scope, captured_at, captured_at AS held_at, 'unchanged' AS outcome, parser_version, true AS good
  FROM snapshots
  WHERE source IN (SELECT source FROM snapshots WHERE resource = 'collect')
    AND (source, captured_at) NOT IN (SELECT (source, captured_at) FROM snapshots WHERE resource = 'collect')
),
ends AS (
  SELECT source, resource,
         max(captured_at) AS last_attempt_at,
         max(captured_at) FILTER (good) AS last_success_at,
         arg_max(outcome, (captured_at, NOT good, held_at, outcome, message)) AS last_outcome,
         arg_max_null(message, (captured_at, NOT good, held_at, outcome, message)) AS last_message,
         arg_max(parser_version, captured_at) AS parser_version
  FROM attempts
  GROUP BY ALL
),
failures AS (
  SELECT a.source, a.resource, count(*) AS in_a_row, min(a.captured_at) AS since
  FROM attempts a
  JOIN ends e ON e.source = a.source AND e.resource = a.resource
  WHERE NOT a.good AND (e.last_success_at IS NULL OR a.captured_at > e.last_success_at)
  GROUP BY ALL
)
SELECT e.source, e.resource, e.last_attempt_at, e.last_success_at, e.last_outcome,
       CASE WHEN e.last_success_at IS NULL THEN 'never'
            WHEN greatest(e.last_success_at, CASE WHEN e.last_outcome IN ('changed', 'unchanged', 'not_modified') THEN o.last_success_at END) < n.at_time - INTERVAL 36 HOUR THEN 'stale'
            ELSE 'fresh' END AS freshness,
       coalesce(f.in_a_row, 0) AS consecutive_failures,
       f.since AS failing_since,
       e.parser_version,
       (SELECT count(*) FROM unmatched_names u WHERE u.source = e.source AND u.resource = e.resource) AS unmatched_names,
       CASE WHEN e.last_outcome IN ('changed', 'unchanged', 'not_modified') THEN NULL ELSE e.last_message END AS message
FROM ends e CROSS JOIN newest n
LEFT JOIN failures f ON f.source = e.source AND f.resource = e.resource
LEFT JOIN asked_after w ON w.source = e.source AND w.resource = e.resource
LEFT JOIN ends o ON o.source = w.source AND o.resource = w.other
