// params: k: int = 50
// example: {}
// returns: src (pull request), dst (issue), src_repo, dst_repo, src_name, dst_name, src_state, dst_state, how, at, total
// Issues closed by a pull request of another repository, newest first; `total` is how many such pairs there are in all.
MATCH (a:PullRequest)-[r:CLOSES]->(b:Issue)
WHERE a.repo <> b.repo AND visible(a) AND visible(b) AND current(r)
WITH a, r, b, coalesce(a.merged_at, r.at, a.at, 0) AS at ORDER BY at DESC, a.key, b.key
WITH collect([a, r, b, at]) AS found
WITH found[..$k] AS some, size(found) AS total
UNWIND some AS hit
WITH hit[0] AS a, hit[1] AS r, hit[2] AS b, hit[3] AS at, total
RETURN a.key AS src, b.key AS dst, a.repo AS src_repo, b.repo AS dst_repo, a.name AS src_name, b.name AS dst_name,
  CASE WHEN a.merged_at <= $as_of THEN 'merged' WHEN a.closed_at <= $as_of THEN 'closed' ELSE 'open' END AS src_state,
  CASE WHEN b.closed_at <= $as_of THEN 'closed' ELSE 'open' END AS dst_state,
  coalesce(r.keyword, r.how) AS how, at, total, a, r, b
ORDER BY at DESC, src, dst LIMIT 10000
