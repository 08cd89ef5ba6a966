// kind: internal
// params: low: str, high: str
// returns: key, repo, name
// Commits whose sha lies between two bounds, which is how a shortened sha is found.
MATCH (n:Commit) WHERE n.sha >= $low AND n.sha < $high AND visible(n)
RETURN n.key AS key, n.repo AS repo, n.name AS name
ORDER BY key LIMIT 10
