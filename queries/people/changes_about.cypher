// kind: fragment
// params: concept: str
// Pull requests, and commits of the default branch, whose text names the concept.
MATCH (c:Entity:Concept {key: $concept}) WHERE visible(c)
MATCH (x)-[m:MENTIONS]->(c) WHERE visible(x) AND current(m) AND (x:PullRequest OR (x:Commit AND coalesce(x.on_default, true)))
WITH DISTINCT x
