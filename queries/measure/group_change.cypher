// kind: fragment
// takes: x
// By the pull request that consists of it.
MATCH (g:PullRequest)-[gr:INCLUDES]->(x) WHERE visible(g)
