// kind: internal
// params: key: str
// example: {key: "issue:merefold/gatekeeper#2"}
// returns: hop, src, rel, dst, how, at
// From an issue to the changes that close it or refer to it, and to the releases they first shipped in; a commit ships with the pull requests it belongs to.
MATCH (i:Entity:Issue {key: $key}) WHERE visible(i)
CALL {
  WITH i
  MATCH (a:Entity)-[e:CLOSES|REFERENCES]->(i)
  WHERE visible(a) AND current(e) AND NOT a:Chunk
  RETURN 1 AS hop, a, e, i AS b
  UNION ALL
  WITH i
  MATCH (i)-[e:REFERENCES]->(b:Entity)
  WHERE visible(b) AND current(e) AND NOT b:Chunk
  RETURN 1 AS hop, i AS a, e, b
  UNION ALL
  WITH i
  MATCH (a:Entity)-[c:CLOSES]->(i)
  WHERE visible(a) AND current(c) AND NOT a:Chunk
  MATCH (a)-[e:SHIPPED_IN]->(b:Release)
  WHERE visible(b) AND current(e)
  RETURN 2 AS hop, a, e, b
  UNION ALL
  WITH i
  MATCH (b:Commit)-[c:CLOSES]->(i)
  WHERE visible(b) AND current(c)
  MATCH (a:PullRequest)-[e:INCLUDES]->(b)
  WHERE visible(a)
  RETURN 2 AS hop, a, e, b
  UNION ALL
  WITH i
  MATCH (y:Commit)-[c:CLOSES]->(i)
  WHERE visible(y) AND current(c)
  MATCH (a:PullRequest)-[part:INCLUDES]->(y)
  WHERE visible(a)
  MATCH (a)-[e:SHIPPED_IN]->(b:Release)
  WHERE visible(b) AND current(e)
  RETURN 3 AS hop, a, e, b
}
WITH a, e, b, min(hop) AS hop
RETURN DISTINCT hop, a.key AS src, type(e) AS rel, b.key AS dst, coalesce(e.source, e.how, e.keyword) AS how, coalesce(e.at, b.at) AS at,
  a.name AS src_name, b.name AS dst_name,
  CASE WHEN a.merged_at <= $as_of THEN 'merged' WHEN a.closed_at <= $as_of THEN 'closed' WHEN a.created_at IS NOT NULL THEN 'open' END AS src_state,
  CASE WHEN b.merged_at <= $as_of THEN 'merged' WHEN b.closed_at <= $as_of THEN 'closed' WHEN b.created_at IS NOT NULL THEN 'open' END AS dst_state, a, e, b
ORDER BY hop, rel, at, src, dst LIMIT 500
