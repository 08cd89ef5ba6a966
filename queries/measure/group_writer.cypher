// kind: fragment
// takes: x
// Written or decided by whom.
MATCH (x)<-[gr:WROTE|DECIDED]-(g) WHERE visible(x) AND visible(g) AND NOT g:Chunk AND current(gr)
