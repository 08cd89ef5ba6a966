// kind: fragment
// takes: x
// Handled by whom.
MATCH (x)-[gr:HANDLED_BY]->(g) WHERE visible(x) AND visible(g) AND NOT g:Chunk AND current(gr)
