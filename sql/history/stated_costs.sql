-- Costs per million tokens as publishers state them, every version.
-- Unit of a row: a version of a stated cost.
-- Reads: history.stated_costs, the version rows of all scopes.
SELECT * EXCLUDE (part, identity, live)
FROM history.stated_costs
