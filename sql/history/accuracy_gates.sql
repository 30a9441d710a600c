-- Accuracy gates of SGLang's tests, every version.
-- Unit of a row: a version of one metric of one gate.
-- Reads: history.accuracy_gates, the version rows of all scopes.
SELECT * EXCLUDE (part, identity, live)
FROM history.accuracy_gates
