// kind: fragment
// takes: x
// By repository.
MATCH (x)-[gr:IN_REPO]->(g:Repo) WHERE visible(g)
