// kind: fragment
// takes: x
// Opened by whom.
MATCH (x)<-[gr:OPENED]-(g) WHERE visible(x) AND visible(g) AND NOT g:Chunk AND current(gr)
