// kind: fragment
// takes: x
// By who reviewed it, their own left out.
MATCH (g:Person)-[gr:REVIEWED]->(x) WHERE visible(g) AND current(gr) AND NOT (g)-[:AUTHORED]->(x)
