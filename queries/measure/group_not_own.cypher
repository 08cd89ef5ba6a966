// kind: fragment
// takes: g, x
// One's own left out.
  AND NOT (g)-[:AUTHORED]->(x) AND NOT (g)-[:OPENED]->(x)
