// kind: fragment
// takes: x
// By the releases in which what closes the issue first shipped; a commit ships with its pull requests unless it has a release of its own.
WITH collect(x) AS xs
CALL {
  WITH xs
  UNWIND xs AS x
  MATCH (y)-[cl:CLOSES]->(x) WHERE visible(x) AND visible(y) AND current(cl) AND (y:PullRequest OR y:Commit)
  MATCH (y)-[s:SHIPPED_IN]->(g:Release) WHERE visible(g) AND current(s)
  RETURN x, y, g, coalesce(g.published_at, g.at) AS place
  UNION ALL
  WITH xs
  UNWIND xs AS x
  MATCH (y:Commit)-[cl:CLOSES]->(x) WHERE visible(x) AND visible(y) AND current(cl)
  MATCH (q:PullRequest)-[part:INCLUDES]->(y) WHERE visible(q)
  MATCH (q)-[s:SHIPPED_IN]->(g:Release) WHERE visible(g) AND current(s)
  RETURN x, y, g, coalesce(g.published_at, g.at) + 10000000000 AS place
}
WITH x, y, min(place) AS first, collect([place, g]) AS found
UNWIND found AS ship
WITH x, first, ship[0] AS place, ship[1] AS g WHERE place = first
