// params: source: str, target: str, k: int = 500
// example: {source: "merefold/gatekeeper", target: "merefold/fenproto"}
// returns: src, dst, rel, src_name, dst_name
// Issues and pull requests of one repository ("org/name") whose texts refer to, or that close, items of another.
MATCH (a:Entity)-[r:REFERENCES|CLOSES]->(b:Entity)
WHERE (a:PullRequest OR a:Issue) AND (b:PullRequest OR b:Issue) AND a.repo = $source AND b.repo = $target
  AND visible(a) AND visible(b) AND current(r)
RETURN a.key AS src, b.key AS dst, type(r) AS rel, a.name AS src_name, b.name AS dst_name, a, r, b
ORDER BY src, dst, rel LIMIT $k
