-- Sentences that change how figures are read, every version.
-- Unit of a row: a version of a caveat.
-- Reads: history.caveats, the version rows of all scopes.
SELECT * EXCLUDE (part, identity, live)
FROM history.caveats
