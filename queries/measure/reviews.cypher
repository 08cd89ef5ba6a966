// kind: fragment
// takes: x
// Every review of them, by whom.
MATCH (p:Person)-[e:REVIEWED]->(x) WHERE visible(p) AND current(e)
