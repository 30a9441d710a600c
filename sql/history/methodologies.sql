-- Rules of the benchmarks, every version.
-- Unit of a row: a version of a benchmark's rules.
-- Reads: history.methodologies, the version rows of all scopes.
SELECT * EXCLUDE (part, identity, live)
FROM history.methodologies
