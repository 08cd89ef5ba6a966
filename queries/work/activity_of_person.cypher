// kind: internal
// params: key: str, since: int, until: int, k: int = 5
// example: {key: "person:sannakivela", since: 1735689600, until: 1798761600}
// returns: what, n, keys, names
// What a person did in a window.
CALL {
  MATCH (p:Entity:Person {key: $key})-[r:AUTHORED]->(x:PullRequest)
  WHERE visible(p) AND visible(x) AND current(r) AND x.created_at >= $since AND x.created_at < $until AND x.created_at <= $as_of
  WITH DISTINCT x AS x, x.created_at AS at ORDER BY at DESC, x.key
  RETURN 'prs_opened' AS what, collect(x) AS xs
  UNION ALL
  MATCH (p:Entity:Person {key: $key})-[r:AUTHORED]->(x:PullRequest)
  WHERE visible(p) AND visible(x) AND current(r) AND x.merged_at >= $since AND x.merged_at < $until AND x.merged_at <= $as_of
  WITH DISTINCT x AS x, x.merged_at AS at ORDER BY at DESC, x.key
  RETURN 'prs_merged' AS what, collect(x) AS xs
  UNION ALL
  MATCH (p:Entity:Person {key: $key})-[r:OPENED]->(x:Issue)
  WHERE visible(p) AND visible(x) AND current(r) AND x.created_at >= $since AND x.created_at < $until AND x.created_at <= $as_of
  WITH DISTINCT x AS x, x.created_at AS at ORDER BY at DESC, x.key
  RETURN 'issues_opened' AS what, collect(x) AS xs
  UNION ALL
  MATCH (p:Entity:Person {key: $key})-[r:REVIEWED]->(x:PullRequest)
  WHERE visible(p) AND visible(x) AND current(r) AND r.at >= $since AND r.at < $until AND r.at <= $as_of
  WITH DISTINCT x AS x, r.at AS at ORDER BY at DESC, x.key
  RETURN 'reviews' AS what, collect(x) AS xs
  UNION ALL
  MATCH (p:Entity:Person {key: $key})-[r:COMMENTED_ON]->(x:Entity)
  WHERE visible(p) AND visible(x) AND current(r) AND NOT x:Chunk AND r.at >= $since AND r.at < $until AND r.at <= $as_of
  WITH DISTINCT x AS x, r.at AS at ORDER BY at DESC, x.key
  RETURN 'comments' AS what, collect(x) AS xs
  UNION ALL
  MATCH (p:Entity:Person {key: $key})-[r:AUTHORED]->(x:Commit)
  WHERE visible(p) AND visible(x) AND current(r) AND coalesce(x.on_default, true) AND x.at >= $since AND x.at < $until AND x.at <= $as_of
  WITH DISTINCT x AS x, x.at AS at ORDER BY at DESC, x.key
  RETURN 'commits' AS what, collect(x) AS xs
  UNION ALL
  MATCH (p:Entity:Person {key: $key})-[r:MERGED]->(x:PullRequest)
  WHERE visible(p) AND visible(x) AND current(r) AND r.at >= $since AND r.at < $until AND r.at <= $as_of
  WITH DISTINCT x AS x, r.at AS at ORDER BY at DESC, x.key
  RETURN 'merges' AS what, collect(x) AS xs
  UNION ALL
  MATCH (p:Entity:Person {key: $key})-[r]->(y:Entity)
  WHERE visible(p) AND visible(y) AND NOT y:Chunk AND current(r) AND r.derived_by IS NULL AND coalesce(r.at, y.at) >= $since
    AND coalesce(r.at, y.at) < $until AND counted(r)
  WITH y.repo AS repo, count(r) AS n WHERE repo IS NOT NULL
  MATCH (x:Entity:Repo {key: 'repo:' + repo}) WHERE visible(x)
  WITH x, n ORDER BY n DESC, x.key
  RETURN 'repositories' AS what, collect(x) AS xs
}
WITH what, size(xs) AS n, xs[..$k] AS some WHERE n > 0
RETURN what, n, [x IN some | x.key] AS keys, [x IN some | x.name] AS names, some
ORDER BY what LIMIT 20
