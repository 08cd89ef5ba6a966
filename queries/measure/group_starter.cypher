// kind: fragment
// takes: x
// By who authored or opened it.
MATCH (g:Person)-[gr:AUTHORED|OPENED]->(x) WHERE visible(g) AND current(gr) AND coalesce(gr.co, false) = false
