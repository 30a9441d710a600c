-- Publications that show some of the points they measured, as they claim, every version.
-- Unit of a row: a version of such a publication.
-- Reads: history.published_subsets, the version rows of all scopes; model_names.
SELECT v.* EXCLUDE (part, identity, live), coalesce(n.model_key, fold_name(v.model)) AS model_key, n.model_id
FROM history.published_subsets v
LEFT JOIN model_names n ON n.name = fold_name(v.model)
