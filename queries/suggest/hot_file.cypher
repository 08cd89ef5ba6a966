// kind: internal
// returns: key, path, repo, n
// Files that many different pull requests changed.
MATCH (p:PullRequest)-[r:TOUCHED]->(f:File) WHERE visible(p) AND visible(f) AND coalesce(f.exists, true)
RETURN f.key AS key, f.path AS path, f.repo AS repo, count(DISTINCT p) AS n
ORDER BY n DESC, key LIMIT 5
