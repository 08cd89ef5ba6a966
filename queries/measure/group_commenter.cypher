// kind: fragment
// takes: x
// By who commented on it.
MATCH (g:Person)-[gr:COMMENTED_ON]->(x) WHERE visible(g) AND current(gr)
