-- Accuracy gates of SGLang's tests, every version.
-- Unit of a row: a version of one metric of one gate.
-- Reads: history.accuracy_gates, the version rows of all scopes; model_names.
SELECT v.* EXCLUDE (part, identity, live), coalesce(n.model_key, fold_name(v.model)) AS model_key, n.model_id
FROM history.accuracy_gates v
LEFT JOIN model_names n ON n.name = fold_name(v.model)
