-- Publications that show some of the points they measured, with how many points of that publisher are held here.
-- Unit of a row: such a publication as it stands.
-- Reads: subset_claims, operating_points.
-- Held are the active points of the same model (and accelerator, where one is named) from the publication itself or from
-- its publisher's own pages; where the same points reached us on two ways, the way that holds more counts. How much of a
-- frontier the shown points cover can be reckoned only where nothing was left out.
WITH claims AS (
  SELECT *, CASE WHEN source = 'curated' THEN replace(fold_name(publisher), '-', '_') ELSE source END AS publishing_source
  FROM subset_claims
),
held_ways AS (
  SELECT c.version_id, p.source, p.origin, count(*) AS points
  FROM claims c
  JOIN operating_points p ON p.model_key = c.model_key AND p.status = 'active' AND (c.accelerator IS NULL OR p.accelerator = c.accelerator)
  WHERE p.source = c.publishing_source OR (p.source = c.source AND p.publication IS NOT DISTINCT FROM c.publication)
  GROUP BY ALL
),
held AS (
  SELECT version_id, max(points) AS points FROM held_ways GROUP BY ALL
)
SELECT c.* EXCLUDE (publishing_source, valid_to, ended_by), coalesce(h.points, 0) AS held_points,
       CASE WHEN c.published_points = c.measured_points THEN 1.0::DOUBLE END AS computed_coverage_ratio,
       CASE WHEN c.published_points IS DISTINCT FROM c.measured_points THEN 'the points left out are not published, so the frontier they would make is not known' END AS unknown
FROM claims c
LEFT JOIN held h USING (version_id)
