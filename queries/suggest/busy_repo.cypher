// kind: internal
// returns: key, name, n, latest
// Repositories with the most pull requests, and when the latest was opened.
MATCH (p:PullRequest) WHERE visible(p) AND p.repo IS NOT NULL
RETURN p.repo AS name, count(p) AS n, max(p.at) AS latest
ORDER BY n DESC, name LIMIT 5
