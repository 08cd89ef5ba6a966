// kind: fragment
// takes: x
// params: persons: list[str]
// Keeps what one of the persons reviewed, their own left out.
MATCH (w:Person)-[wr:REVIEWED]->(x) WHERE visible(w) AND current(wr) AND w.key IN $persons
OPTIONAL MATCH (w)-[own:AUTHORED]->(x) WHERE current(own)
WITH x, wr, count(own) AS mine WHERE mine = 0
WITH DISTINCT x
