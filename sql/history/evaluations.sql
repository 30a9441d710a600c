-- Accuracy of served models as InferenceX measures it beside its benchmarks, every version.
-- Unit of a row: a version of one accuracy figure of one deployment.
-- Reads: history.evaluations, the version rows of all scopes.
SELECT * EXCLUDE (part, identity, live)
FROM history.evaluations
