// kind: fragment
// takes: x
// By who opened it.
MATCH (g:Person)-[gr:OPENED]->(x) WHERE visible(g) AND current(gr)
