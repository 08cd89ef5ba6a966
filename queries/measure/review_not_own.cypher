// kind: fragment
// takes: p, x
// Not of one's own.
  AND NOT (p)-[:AUTHORED]->(x)
