-- Power an accelerator is reckoned with, every version.
-- Unit of a row: a version of an accelerator's power.
-- Reads: history.accelerator_power, the version rows of all scopes.
SELECT * EXCLUDE (part, identity, live)
FROM history.accelerator_power
