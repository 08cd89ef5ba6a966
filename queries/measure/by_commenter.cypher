// kind: fragment
// takes: x
// params: persons: list[str]
// Keeps what one of the persons commented on.
MATCH (w:Person)-[wr:COMMENTED_ON]->(x) WHERE visible(w) AND current(wr) AND w.key IN $persons
WITH DISTINCT x
