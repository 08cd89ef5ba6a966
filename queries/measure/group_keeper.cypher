// kind: fragment
// takes: x
// Kept up to date by whom.
MATCH (x)-[gr:MAINTAINED_BY]->(g) WHERE visible(x) AND visible(g) AND NOT g:Chunk AND current(gr)
