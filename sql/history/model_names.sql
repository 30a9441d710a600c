-- The names that mean a model, across sources: exact names, letter case and separators aside.
-- Unit of a row: one name.
-- Reads: history.model_names (pipelines/reference.yaml); history.models for the id Artificial Analysis gives the model.
-- as of: true
WITH listed AS (
  SELECT slug, arg_max(model_id, (valid_from, model_id)) AS model_id
  FROM history.models
  WHERE origin IN ('scraped', 'api') AND slug IN (SELECT aa_slug FROM history.model_names WHERE aa_id IS NULL)
  GROUP BY slug
)
SELECT n.name, n.model_key, coalesce(n.aa_id, l.model_id) AS model_id
FROM history.model_names n
LEFT JOIN listed l ON l.slug = n.aa_slug
