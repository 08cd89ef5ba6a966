// kind: fragment
// takes: x
// params: persons: list[str]
// Keeps what one of the persons approved.
MATCH (w:Person)-[wr:REVIEWED]->(x) WHERE visible(w) AND current(wr) AND w.key IN $persons AND wr.state = 'APPROVED'
WITH DISTINCT x
