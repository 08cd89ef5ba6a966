// kind: fragment
// takes: x
// By who merged it.
MATCH (g:Person)-[gr:MERGED]->(x) WHERE visible(g) AND current(gr)
