// kind: internal
// params: key: str
// example: {key: "release:merefold/gatekeeper@v2.1.0"}
// returns: hop, src, rel, dst, how, at
// From a release to the pull requests that first shipped in it and the issues they close; commits only where they close an issue, themselves or as part of a pull request.
MATCH (x:Entity:Release {key: $key}) WHERE visible(x)
CALL {
  WITH x
  MATCH (a:PullRequest)-[e:SHIPPED_IN]->(x)
  WHERE visible(a) AND current(e)
  RETURN 1 AS hop, a, e, x AS b
  UNION ALL
  WITH x
  MATCH (a:Entity)-[s:SHIPPED_IN]->(x)
  WHERE visible(a) AND current(s) AND NOT a:Chunk
  MATCH (a)-[e:CLOSES]->(b:Issue)
  WHERE visible(b) AND current(e)
  RETURN 2 AS hop, a, e, b
  UNION ALL
  WITH x
  MATCH (q:PullRequest)-[s:SHIPPED_IN]->(x)
  WHERE visible(q) AND current(s)
  MATCH (q)-[i:INCLUDES]->(a:Commit)
  WHERE visible(a)
  MATCH (a)-[e:CLOSES]->(b:Issue)
  WHERE visible(b) AND current(e)
  RETURN 3 AS hop, a, e, b
}
WITH a, e, b, min(hop) AS hop
RETURN DISTINCT hop, a.key AS src, type(e) AS rel, b.key AS dst, coalesce(e.source, e.how, e.keyword) AS how, coalesce(e.at, b.at) AS at,
  a.name AS src_name, b.name AS dst_name,
  CASE WHEN a.merged_at <= $as_of THEN 'merged' WHEN a.closed_at <= $as_of THEN 'closed' WHEN a.created_at IS NOT NULL THEN 'open' END AS src_state,
  CASE WHEN b.merged_at <= $as_of THEN 'merged' WHEN b.closed_at <= $as_of THEN 'closed' WHEN b.created_at IS NOT NULL THEN 'open' END AS dst_state, a, e, b
ORDER BY hop, rel, at, src, dst LIMIT 500
