-- Measured points of deployments, every version.
-- Unit of a row: a version of one point of one deployment.
-- Reads: history.operating_points, the version rows of all scopes.
SELECT * EXCLUDE (part, identity, live)
FROM history.operating_points
