-- The names that mean an accelerator, across sources, with its maker: exact names, letter case aside.
-- Unit of a row: one name.
-- Reads: history.accelerator_names (pipelines/reference.yaml).
-- as of: true
SELECT name, accelerator, vendor, per_node, per_rack
FROM history.accelerator_names
