// kind: fragment
// takes: x
// By who authored it.
MATCH (g:Person)-[gr:AUTHORED]->(x) WHERE visible(g) AND current(gr) AND coalesce(gr.co, false) = false
