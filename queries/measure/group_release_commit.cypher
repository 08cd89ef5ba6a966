// kind: fragment
// takes: x
// By the release the commit first shipped in: its own, else the earliest of the pull requests that it belongs to.
WITH collect(x) AS xs
CALL {
  WITH xs
  UNWIND xs AS x
  MATCH (x)-[s:SHIPPED_IN]->(g:Release) WHERE visible(x) AND visible(g) AND current(s)
  RETURN x, g, coalesce(g.published_at, g.at) AS place
  UNION ALL
  WITH xs
  UNWIND xs AS x
  MATCH (y:PullRequest)-[part:INCLUDES]->(x) WHERE visible(x) AND visible(y)
  MATCH (y)-[s:SHIPPED_IN]->(g:Release) WHERE visible(g) AND current(s)
  RETURN x, g, coalesce(g.published_at, g.at) + 10000000000 AS place
}
WITH x, min(place) AS first, collect([place, g]) AS found
UNWIND found AS ship
WITH x, first, ship[0] AS place, ship[1] AS g WHERE place = first
