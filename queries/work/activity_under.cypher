// kind: internal
// params: files: list[str] = [], under: list[str], since: int, until: int, k: int = 5
// example: {under: ["file:merefold/gatekeeper/internal/"], since: 1735689600, until: 1798761600}
// returns: what, n, keys, names
// What happened below directories or to files in a window.
CALL {
  MATCH (x:PullRequest)-[t:TOUCHED]->(f:File)
  WHERE visible(x) AND visible(f) AND (f.key IN $files OR any(q IN $under WHERE f.key STARTS WITH q OR ('file:' + x.repo + '/' + t.path) STARTS WITH q)) AND x.created_at >= $since AND x.created_at < $until AND x.created_at <= $as_of
  WITH DISTINCT x AS x, x.created_at AS at ORDER BY at DESC, x.key
  RETURN 'prs_opened' AS what, collect(x) AS xs
  UNION ALL
  MATCH (x:PullRequest)-[t:TOUCHED]->(f:File)
  WHERE visible(x) AND visible(f) AND (f.key IN $files OR any(q IN $under WHERE f.key STARTS WITH q OR ('file:' + x.repo + '/' + t.path) STARTS WITH q)) AND x.merged_at >= $since AND x.merged_at < $until AND x.merged_at <= $as_of
  WITH DISTINCT x AS x, x.merged_at AS at ORDER BY at DESC, x.key
  RETURN 'prs_merged' AS what, collect(x) AS xs
  UNION ALL
  MATCH (x:PullRequest)-[t:TOUCHED]->(f:File)
  WHERE visible(x) AND visible(f) AND (f.key IN $files OR any(q IN $under WHERE f.key STARTS WITH q OR ('file:' + x.repo + '/' + t.path) STARTS WITH q)) AND x.merged_at IS NULL AND x.closed_at >= $since AND x.closed_at < $until AND x.closed_at <= $as_of
  WITH DISTINCT x AS x, x.closed_at AS at ORDER BY at DESC, x.key
  RETURN 'prs_closed' AS what, collect(x) AS xs
  UNION ALL
  MATCH (x:Commit)-[t:TOUCHED]->(f:File)
  WHERE visible(x) AND visible(f) AND (f.key IN $files OR any(q IN $under WHERE f.key STARTS WITH q OR ('file:' + x.repo + '/' + t.path) STARTS WITH q)) AND coalesce(x.on_default, true) AND x.at >= $since AND x.at < $until AND x.at <= $as_of
  WITH DISTINCT x AS x, x.at AS at ORDER BY at DESC, x.key
  RETURN 'commits' AS what, collect(x) AS xs
  UNION ALL
  MATCH (y)-[t:TOUCHED]->(f:File)
  WHERE visible(y) AND visible(f) AND (f.key IN $files OR any(q IN $under WHERE f.key STARTS WITH q OR ('file:' + y.repo + '/' + t.path) STARTS WITH q))
  WITH DISTINCT y
  MATCH (p:Person)-[r]->(y)
  WHERE visible(p) AND current(r) AND coalesce(p.bot, false) = false AND coalesce(r.at, y.at) >= $since AND coalesce(r.at, y.at) < $until
    AND counted(r)
  WITH p AS x, count(r) AS n ORDER BY n DESC, x.key
  RETURN 'people' AS what, collect(x) AS xs
}
WITH what, size(xs) AS n, xs[..$k] AS some WHERE n > 0
RETURN what, n, [x IN some | x.key] AS keys, [x IN some | x.name] AS names, some
ORDER BY what LIMIT 20
