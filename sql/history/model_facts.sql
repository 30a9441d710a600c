-- Facts on models, every version.
-- Unit of a row: a version of a fact.
-- Reads: history.model_facts, the version rows of all scopes.
SELECT * EXCLUDE (part, identity, live)
FROM history.model_facts
