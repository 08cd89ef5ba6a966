// kind: fragment
// takes: x
// params: persons: list[str]
// Keeps what one of the persons authored.
MATCH (w:Person)-[wr:AUTHORED]->(x) WHERE visible(w) AND current(wr) AND w.key IN $persons AND coalesce(wr.co, false) = false
WITH DISTINCT x
