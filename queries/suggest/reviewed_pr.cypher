// kind: internal
// returns: key, title, n
// Pull requests with the most reviews.
MATCH (a:Person)-[r:REVIEWED]->(p:PullRequest) WHERE visible(a) AND visible(p) AND current(r)
RETURN p.key AS key, p.name AS title, count(r) AS n
ORDER BY n DESC, key LIMIT 5
