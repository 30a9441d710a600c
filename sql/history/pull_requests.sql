-- Tracked pull requests, every version.
-- Unit of a row: a version of a pull request.
-- Reads: history.pull_requests, the version rows of all scopes.
SELECT * EXCLUDE (part, identity, live)
FROM history.pull_requests
