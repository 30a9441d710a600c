-- Facts on models, every version.
-- Unit of a row: a version of a fact.
-- Reads: history.model_facts, the version rows of all scopes; model_names.
SELECT v.* EXCLUDE (part, identity, live), coalesce(n.model_key, fold_name(v.model)) AS model_key, n.model_id
FROM history.model_facts v
LEFT JOIN model_names n ON n.name = fold_name(v.model)
