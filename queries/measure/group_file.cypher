// kind: fragment
// takes: x
// By file changed.
MATCH (x)-[gr:TOUCHED]->(g:File) WHERE visible(g)
