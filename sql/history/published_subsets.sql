-- Publications that show some of the points they measured, every version.
-- Unit of a row: a version of such a publication.
-- Reads: history.published_subsets, the version rows of all scopes.
SELECT * EXCLUDE (part, identity, live)
FROM history.published_subsets
