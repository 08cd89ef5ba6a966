// kind: internal
// params: key: str
// example: {key: "commit:merefold/gatekeeper@87a6df75449419f7ae2ac69656b4ce5beaed6fbe"}
// returns: hop, src, rel, dst, how, at
// From a commit to the pull request that contains it, to what it and that pull request close, and to the release.
MATCH (x:Entity:Commit {key: $key}) WHERE visible(x)
CALL {
  WITH x
  MATCH (a:PullRequest)-[e:INCLUDES]->(x)
  WHERE visible(a) AND current(e)
  RETURN 1 AS hop, a, e, x AS b
  UNION ALL
  WITH x
  MATCH (x)-[e:CLOSES|REFERENCES|SHIPPED_IN]->(b:Entity)
  WHERE visible(b) AND current(e) AND NOT b:Chunk
  RETURN 1 AS hop, x AS a, e, b
  UNION ALL
  WITH x
  MATCH (a:Entity)-[e:REFERENCES]->(x)
  WHERE visible(a) AND current(e) AND NOT a:Chunk
  RETURN 1 AS hop, a, e, x AS b
  UNION ALL
  WITH x
  MATCH (a:PullRequest)-[i:INCLUDES]->(x)
  WHERE visible(a) AND current(i)
  MATCH (a)-[e:CLOSES|SHIPPED_IN]->(b:Entity)
  WHERE visible(b) AND current(e) AND NOT b:Chunk
  RETURN 2 AS hop, a, e, b
}
RETURN DISTINCT hop, a.key AS src, type(e) AS rel, b.key AS dst, coalesce(e.source, e.how, e.keyword) AS how, coalesce(e.at, b.at) AS at,
  a.name AS src_name, b.name AS dst_name,
  CASE WHEN a.merged_at <= $as_of THEN 'merged' WHEN a.closed_at <= $as_of THEN 'closed' WHEN a.created_at IS NOT NULL THEN 'open' END AS src_state,
  CASE WHEN b.merged_at <= $as_of THEN 'merged' WHEN b.closed_at <= $as_of THEN 'closed' WHEN b.created_at IS NOT NULL THEN 'open' END AS dst_state, a, e, b
ORDER BY hop, rel, at, src, dst LIMIT 500
