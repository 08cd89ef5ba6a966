// kind: fragment
// takes: x
// By who changed the file in a commit.
MATCH (y:Commit)-[ty:TOUCHED]->(x) WHERE visible(y)
MATCH (g:Person)-[gr:AUTHORED]->(y) WHERE visible(g) AND current(gr)
