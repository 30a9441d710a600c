-- The names that mean a model, across sources: exact names, letter case and separators aside.
-- Unit of a row: one name.
-- Reads: history.model_names (pipelines/reference.yaml); history.models for the id Artificial Analysis gives the model.
-- as of: true
SELECT n.name, n.model_key,
       coalesce(n.aa_id, (SELECT arg_max(m.model_id, (m.valid_from, m.model_id)) FROM history.models m WHERE m.slug = n.aa_slug AND m.origin IN ('scraped', 'api'))) AS model_id
FROM history.model_names n
