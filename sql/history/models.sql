-- Models as Artificial Analysis lists them, every version.
-- Unit of a row: a version of a model.
-- Reads: history.models, the version rows of all scopes.
SELECT * EXCLUDE (part, identity, live)
FROM history.models
