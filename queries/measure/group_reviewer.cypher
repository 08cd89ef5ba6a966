// kind: fragment
// takes: x
// By who reviewed it.
MATCH (g:Person)-[gr:REVIEWED]->(x) WHERE visible(g) AND current(gr)
