// kind: fragment
// takes: x
// Assigned to whom.
MATCH (x)-[gr:ASSIGNED_TO]->(g) WHERE visible(x) AND visible(g) AND NOT g:Chunk AND current(gr)
