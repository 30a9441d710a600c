-- Accuracy figures of deployments, as the sources publish them, every version.
-- Unit of a row: a version of one accuracy figure of one deployment.
-- Reads: history.evaluations, the version rows of all scopes; model_names.
SELECT v.* EXCLUDE (part, identity, live), coalesce(n.model_key, fold_name(v.model)) AS model_key, n.model_id
FROM history.evaluations v
LEFT JOIN model_names n ON n.name = fold_name(v.model)
