-- Models as Artificial Analysis lists them, every version.
-- Unit of a row: a version of a model.
-- Reads: history.models, the version rows of all scopes; model_names.
SELECT v.* EXCLUDE (part, identity, live), coalesce(n.model_key, v.slug, fold_name(v.name)) AS model_key
FROM history.models v
LEFT JOIN (SELECT model_id, any_value(model_key) AS model_key FROM model_names WHERE model_id IS NOT NULL GROUP BY model_id) n ON n.model_id = v.model_id
