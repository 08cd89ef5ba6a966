// kind: fragment
// takes: places
// params: days: int = 90, k: int = 50
// What is open on these files at the instant asked about, what was merged in the days before it, and what changes with them.
CALL {
  WITH places
  UNWIND places AS f
  MATCH (x:PullRequest)-[t:TOUCHED]->(f)
  WHERE visible(x) AND visible(f) AND coalesce(x.merged_at, 9999999999) > $as_of
    AND coalesce(x.closed_at, CASE WHEN x.state = 'open' THEN 9999999999 ELSE 0 END) > $as_of
  RETURN 'open' AS section, x, x.created_at AS at, f, t, 1 AS n
  UNION ALL
  WITH places
  UNWIND places AS f
  MATCH (x:PullRequest)-[t:TOUCHED]->(f)
  WHERE visible(x) AND visible(f) AND x.merged_at <= $as_of AND x.merged_at > $as_of - $days * 86400
  RETURN 'merged' AS section, x, x.merged_at AS at, f, t, 1 AS n
  UNION ALL
  WITH places
  UNWIND places AS f
  MATCH (f)-[t:CO_CHANGES]-(x:File)
  WHERE visible(x) AND visible(f) AND current(t) AND counted(t) AND NOT x IN places
  RETURN 'co_changes' AS section, x, t.last_at AS at, f, t, t.n AS n
}
WITH section, x, at, f, t, n ORDER BY f.key
WITH section, x, max(at) AS at, toInteger(max(n)) AS n, collect(f) AS touched, collect(t) AS links
OPTIONAL MATCH (w:Person)-[a:AUTHORED]->(x) WHERE visible(w) AND current(a) AND coalesce(a.co, false) = false
WITH section, x, at, n, touched, links, w, a ORDER BY w.key, a.id
WITH section, x, at, n, touched, links, collect(w) AS authors, collect(a) AS wrote
ORDER BY CASE WHEN section = 'co_changes' THEN n ELSE at END DESC, x.key
WITH section, collect([x, at, n, touched, links, authors, wrote]) AS found
WITH section, found[..$k] AS some, size(found) AS total
UNWIND some AS row
WITH section, total, row[0] AS x, row[1] AS at, row[2] AS n, row[3] AS touched, row[4] AS links, row[5] AS authors, row[6] AS wrote
RETURN section, x.key AS key, x.name AS name, authors[0].key AS author, at, n, [g IN touched | g.path] AS files, total, x, touched[..20] AS places, links[..20] AS links, authors, wrote
ORDER BY CASE section WHEN 'open' THEN 0 WHEN 'merged' THEN 1 ELSE 2 END, CASE WHEN section = 'co_changes' THEN n ELSE at END DESC, key LIMIT 1000
