// kind: audit
// params: first: int, end: int, after: int = -1, k: int = 5000
// returns: n (its number), src, rel, dst, props
// Every relationship that starts at those nodes, parallel ones in the order they were made, a page at a time; for copies.
MATCH (a)-[r]->(b) WHERE id(a) >= $first AND id(a) < $end AND id(r) > $after
RETURN id(r) AS n, a.key AS src, type(r) AS rel, b.key AS dst, properties(r) AS props
ORDER BY n LIMIT $k
