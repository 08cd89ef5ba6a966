// kind: fragment
// takes: x
// params: persons: list[str]
// Keeps what one of the persons opened.
MATCH (w:Person)-[wr:OPENED]->(x) WHERE visible(w) AND current(wr) AND w.key IN $persons
WITH DISTINCT x
