-- Serving configurations that Artificial Analysis lists, every version.
-- Unit of a row: a version of a configuration.
-- Reads: history.configurations, the version rows of all scopes.
SELECT * EXCLUDE (part, identity, live)
FROM history.configurations
