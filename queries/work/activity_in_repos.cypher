// kind: internal
// params: repos: list[str], since: int, until: int, k: int = 5
// example: {repos: ["merefold/gatekeeper"], since: 1735689600, until: 1798761600}
// returns: what, n, keys, names
// What happened in whole repositories in a window.
CALL {
  MATCH (x:PullRequest)
  WHERE visible(x) AND x.repo IN $repos AND x.created_at >= $since AND x.created_at < $until AND x.created_at <= $as_of
  WITH DISTINCT x AS x, x.created_at AS at ORDER BY at DESC, x.key
  RETURN 'prs_opened' AS what, collect(x) AS xs
  UNION ALL
  MATCH (x:PullRequest)
  WHERE visible(x) AND x.repo IN $repos AND x.merged_at >= $since AND x.merged_at < $until AND x.merged_at <= $as_of
  WITH DISTINCT x AS x, x.merged_at AS at ORDER BY at DESC, x.key
  RETURN 'prs_merged' AS what, collect(x) AS xs
  UNION ALL
  MATCH (x:PullRequest)
  WHERE visible(x) AND x.repo IN $repos AND x.merged_at IS NULL AND x.closed_at >= $since AND x.closed_at < $until AND x.closed_at <= $as_of
  WITH DISTINCT x AS x, x.closed_at AS at ORDER BY at DESC, x.key
  RETURN 'prs_closed' AS what, collect(x) AS xs
  UNION ALL
  MATCH (x:Issue)
  WHERE visible(x) AND x.repo IN $repos AND x.created_at >= $since AND x.created_at < $until AND x.created_at <= $as_of
  WITH DISTINCT x AS x, x.created_at AS at ORDER BY at DESC, x.key
  RETURN 'issues_opened' AS what, collect(x) AS xs
  UNION ALL
  MATCH (x:Issue)
  WHERE visible(x) AND x.repo IN $repos AND x.closed_at >= $since AND x.closed_at < $until AND x.closed_at <= $as_of
  WITH DISTINCT x AS x, x.closed_at AS at ORDER BY at DESC, x.key
  RETURN 'issues_closed' AS what, collect(x) AS xs
  UNION ALL
  MATCH (x:Commit)
  WHERE visible(x) AND x.repo IN $repos AND coalesce(x.on_default, true) AND x.at >= $since AND x.at < $until AND x.at <= $as_of
  WITH DISTINCT x AS x, x.at AS at ORDER BY at DESC, x.key
  RETURN 'commits' AS what, collect(x) AS xs
  UNION ALL
  MATCH (x:Release)
  WHERE visible(x) AND x.repo IN $repos AND coalesce(x.published_at, x.at) >= $since AND coalesce(x.published_at, x.at) < $until AND coalesce(x.published_at, x.at) <= $as_of
  WITH DISTINCT x AS x, coalesce(x.published_at, x.at) AS at ORDER BY at DESC, x.key
  RETURN 'releases' AS what, collect(x) AS xs
  UNION ALL
  CALL {
    MATCH (p:Person)-[r:AUTHORED]->(y:PullRequest)
    WHERE visible(p) AND visible(y) AND current(r) AND y.repo IN $repos AND coalesce(r.at, y.at) >= $since AND coalesce(r.at, y.at) < $until
    RETURN p, r
    UNION ALL
    MATCH (p:Person)-[r:AUTHORED]->(y:Commit)
    WHERE visible(p) AND visible(y) AND current(r) AND y.repo IN $repos AND coalesce(r.at, y.at) >= $since AND coalesce(r.at, y.at) < $until
    RETURN p, r
    UNION ALL
    MATCH (p:Person)-[r:REVIEWED]->(y:PullRequest)
    WHERE visible(p) AND visible(y) AND current(r) AND y.repo IN $repos AND coalesce(r.at, y.at) >= $since AND coalesce(r.at, y.at) < $until
    RETURN p, r
    UNION ALL
    MATCH (p:Person)-[r:COMMENTED_ON]->(y:PullRequest)
    WHERE visible(p) AND visible(y) AND current(r) AND y.repo IN $repos AND coalesce(r.at, y.at) >= $since AND coalesce(r.at, y.at) < $until
    RETURN p, r
    UNION ALL
    MATCH (p:Person)-[r:COMMENTED_ON]->(y:Issue)
    WHERE visible(p) AND visible(y) AND current(r) AND y.repo IN $repos AND coalesce(r.at, y.at) >= $since AND coalesce(r.at, y.at) < $until
    RETURN p, r
    UNION ALL
    MATCH (p:Person)-[r:OPENED]->(y:Issue)
    WHERE visible(p) AND visible(y) AND current(r) AND y.repo IN $repos AND coalesce(r.at, y.at) >= $since AND coalesce(r.at, y.at) < $until
    RETURN p, r
    UNION ALL
    MATCH (p:Person)-[r:MERGED]->(y:PullRequest)
    WHERE visible(p) AND visible(y) AND current(r) AND y.repo IN $repos AND coalesce(r.at, y.at) >= $since AND coalesce(r.at, y.at) < $until
    RETURN p, r
  }
  WITH p, r WHERE coalesce(p.bot, false) = false
  WITH p AS x, count(r) AS n ORDER BY n DESC, x.key
  RETURN 'people' AS what, collect(x) AS xs
}
WITH what, size(xs) AS n, xs[..$k] AS some WHERE n > 0
RETURN what, n, [x IN some | x.key] AS keys, [x IN some | x.name] AS names, some
ORDER BY what LIMIT 20
