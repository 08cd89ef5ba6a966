// kind: fragment
// takes: x
// params: persons: list[str]
// Keeps files that one of the persons changed in a commit or pull request.
MATCH (y)-[ty:TOUCHED]->(x) WHERE visible(y) AND (y:PullRequest OR y:Commit)
MATCH (w:Person)-[wr:AUTHORED]->(y) WHERE visible(w) AND current(wr) AND w.key IN $persons
WITH DISTINCT x
