// kind: fragment
// takes: p, x
// Not on one's own.
  AND NOT (p)-[:AUTHORED]->(x) AND NOT (p)-[:OPENED]->(x)
