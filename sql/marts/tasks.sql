-- What waits for a person: pages behind curated entries whose text changed since.
-- Unit of a row: one change of one page.
-- Reads: watched_pages, snapshots, and the tables that hold what is entered by hand.
-- The newest change of a page is the task; it is done when a file that cites the page was taken in anew after it.
WITH entered AS (
  SELECT source, source_url, snapshot_id FROM agentperf_results
  UNION ALL SELECT source, source_url, snapshot_id FROM operating_points
  UNION ALL SELECT source, source_url, snapshot_id FROM model_facts
  UNION ALL SELECT source, source_url, snapshot_id FROM models
  UNION ALL SELECT source, source_url, snapshot_id FROM prices
  UNION ALL SELECT source, source_url, snapshot_id FROM stated_costs
  UNION ALL SELECT source, source_url, snapshot_id FROM accelerator_power
  UNION ALL SELECT source, source_url, snapshot_id FROM accuracy_gates
  UNION ALL SELECT source, source_url, snapshot_id FROM methodologies
  UNION ALL SELECT source, source_url, snapshot_id FROM subset_claims
  UNION ALL SELECT source, source_url, snapshot_id FROM caveats
),
citing AS (
  SELECT DISTINCT rtrim(split_part(e.source_url, '#', 1), '/') AS page, s.resource AS file
  FROM entered e
  JOIN snapshots s ON s.source = e.source AND s.snapshot_id = e.snapshot_id
  WHERE e.source = 'curated' AND s.resource LIKE '%.yaml'
),
read_again AS (
  SELECT resource AS file, captured_at FROM snapshots WHERE source = 'curated' AND outcome IN ('changed', 'unchanged')
),
changed AS (
  SELECT url, title, valid_from AS raised_at, changed_after
  FROM watched_pages p
  WHERE valid_from > (SELECT min(held_at) FROM snapshots s WHERE s.source = 'curated' AND s.scope = p.scope AND s.outcome = 'changed')
),
tasks AS (
  SELECT c.*, list_sort(list(DISTINCT i.file) FILTER (i.file IS NOT NULL)) AS files, min(r.captured_at) AS done_at
  FROM changed c
  LEFT JOIN citing i ON i.page = rtrim(split_part(c.url, '#', 1), '/')
  LEFT JOIN read_again r ON r.file = i.file AND r.captured_at > c.raised_at
  GROUP BY ALL
)
SELECT 'page_text_changed' AS kind, url, title, raised_at, changed_after, coalesce(files, []) AS files, done_at,
       'The text of ' || url || ' changed. Read it, and '
         || CASE WHEN len(coalesce(files, [])) = 0 THEN 'enter what is new with `megawatch add`; no file cites it yet.'
                 ELSE 'mend ' || array_to_string(files, ', ') || ' where a figure changed.' END AS text,
       url AS source_url
FROM tasks
