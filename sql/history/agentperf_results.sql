-- AA-AgentPerf values as published, every version.
-- Unit of a row: a version of one value.
-- Reads: history.agentperf_results, the version rows of all scopes; model_names.
SELECT v.* EXCLUDE (part, identity, live), coalesce(n.model_key, fold_name(v.model)) AS model_key, n.model_id
FROM history.agentperf_results v
LEFT JOIN model_names n ON n.name = fold_name(v.model)
