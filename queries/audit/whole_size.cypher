// kind: audit
// returns: n
// One more than the highest number of a node; for copies.
MATCH (n)
RETURN coalesce(max(id(n)), -1) + 1 AS n
ORDER BY n LIMIT 1
