// kind: fragment
// takes: x
// By who approved it.
MATCH (g:Person)-[gr:REVIEWED]->(x) WHERE visible(g) AND current(gr) AND gr.state = 'APPROVED'
