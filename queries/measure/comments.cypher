// kind: fragment
// takes: x
// Every comment on them, by whom.
MATCH (p:Person)-[e:COMMENTED_ON]->(x) WHERE visible(p) AND current(e)
