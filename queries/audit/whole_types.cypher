// kind: audit
// returns: rel, first
// The types of relationships in the order in which each was first used; for copies.
MATCH (a)-[r]->(b)
RETURN type(r) AS rel, min(id(r)) AS first
ORDER BY first LIMIT 1000
