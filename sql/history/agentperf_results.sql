-- AA-AgentPerf values as published, every version.
-- Unit of a row: a version of one value.
-- Reads: history.agentperf_results, the version rows of all scopes.
SELECT * EXCLUDE (part, identity, live)
FROM history.agentperf_results
