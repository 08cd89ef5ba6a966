// kind: fragment
// takes: x
// params: persons: list[str]
// Keeps what one of the persons reviewed, their own left out.
MATCH (w:Person)-[wr:REVIEWED]->(x) WHERE visible(w) AND current(wr) AND w.key IN $persons
  AND NOT (w)-[:AUTHORED]->(x)
WITH DISTINCT x
