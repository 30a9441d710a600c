-- Accelerator hours, hosted and router prices, every version.
-- Unit of a row: a version of a price.
-- Reads: history.prices, the version rows of all scopes.
SELECT * EXCLUDE (part, identity, live)
FROM history.prices
