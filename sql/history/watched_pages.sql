-- Text of pages behind curated entries, every version.
-- Unit of a row: a version of a page's readable text.
-- Reads: history.watched_pages, the version rows of all scopes.
SELECT * EXCLUDE (part, identity, live)
FROM history.watched_pages
