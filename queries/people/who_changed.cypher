// kind: fragment
// takes: x
// params: half_life_days: float = 365, since: int = 0, until: int = 9999999999, k: int = 10, bots: bool = false
// Who wrote and who reviewed the changes, with weights that fade: a change written counts one, a change reviewed a half,
// each halved with every half-life before the instant asked about; a commit that belongs to a pull request counts with it.
WITH collect(x) AS xs
CALL {
  WITH xs
  UNWIND xs AS x
  MATCH (p:Person)-[r:AUTHORED]->(x)
  WHERE visible(x) AND visible(p) AND current(r) AND coalesce(r.at, x.at) >= $since AND coalesce(r.at, x.at) < $until
    AND ($bots OR coalesce(p.bot, false) = false)
  RETURN p, x, coalesce(r.at, x.at) AS at, 1 AS wrote, 0 AS inside
  UNION ALL
  WITH xs
  UNWIND [c IN xs WHERE c:PullRequest] AS x
  MATCH (p:Person)-[r:REVIEWED]->(x)
  WHERE visible(x) AND visible(p) AND current(r) AND coalesce(r.at, x.at) >= $since AND coalesce(r.at, x.at) < $until
    AND ($bots OR coalesce(p.bot, false) = false)
  RETURN p, x, coalesce(r.at, x.at) AS at, 0 AS wrote, 0 AS inside
  UNION ALL
  WITH xs
  UNWIND [c IN xs WHERE c:Commit] AS x
  MATCH (whole:PullRequest)-[i:INCLUDES]->(x)
  WHERE visible(whole) AND visible(x)
  WITH DISTINCT x
  MATCH (p:Person)-[r:AUTHORED]->(x)
  WHERE visible(x) AND visible(p) AND current(r) AND coalesce(r.at, x.at) >= $since AND coalesce(r.at, x.at) < $until
    AND ($bots OR coalesce(p.bot, false) = false)
  RETURN p, x, coalesce(r.at, x.at) AS at, 1 AS wrote, 1 AS inside
}
WITH p, x, max(at) AS at, max(wrote) AS wrote, max(inside) AS inside
WITH p, x, at, CASE WHEN wrote = 0 THEN 'reviewed' WHEN x:Commit THEN 'commit' ELSE 'authored' END AS what,
  CASE WHEN wrote = 0 THEN 0.5 WHEN inside > 0 THEN 0.0 ELSE 1.0 END * exp(-0.693147 * ($as_of - at) / (86400.0 * $half_life_days)) AS weight
ORDER BY at DESC, x.key
WITH p, sum(weight) AS score, max(at) AS last_at,
  toInteger(sum(CASE WHEN what = 'authored' THEN 1 ELSE 0 END)) AS authored,
  toInteger(sum(CASE WHEN what = 'reviewed' THEN 1 ELSE 0 END)) AS reviewed,
  toInteger(sum(CASE WHEN what = 'commit' THEN 1 ELSE 0 END)) AS commits,
  collect(CASE WHEN x:PullRequest THEN x END)[..3] AS prs, collect(CASE WHEN x:Commit THEN x END)[..2] AS shas
ORDER BY score DESC, p.key
WITH collect([p, score, last_at, authored, reviewed, commits, prs + shas]) AS found
WITH found[..$k] AS best, size(found) AS people
UNWIND best AS row
WITH row[0] AS p, row[1] AS score, row[2] AS last_at, row[3] AS authored, row[4] AS reviewed, row[5] AS commits, row[6][..3] AS changes, people
OPTIONAL MATCH (p:Person)-[d]->(y:Entity)
WHERE last_at < $as_of - 31536000 AND coalesce(d.at, 0) > $as_of - 31536000 AND current(d) AND type(d) IN ['AUTHORED', 'REVIEWED', 'COMMENTED_ON', 'OPENED', 'MERGED']
  AND visible(y) AND NOT y:Chunk AND counted(d)
WITH p, score, last_at, authored, reviewed, commits, changes, people, max(d.at) AS seen_at
UNWIND range(0, size(changes) - 1) AS i
WITH p, score, last_at, authored, reviewed, commits, people, seen_at, i, changes[i] AS x
MATCH (p)-[r]->(x) WHERE visible(x) AND current(r) AND type(r) IN ['AUTHORED', 'REVIEWED'] AND counted(r)
WITH p, score, last_at, authored, reviewed, commits, people, seen_at, i, x, r
ORDER BY score DESC, p.key, i, type(r), coalesce(r.at, 0), r.id
WITH p, score, last_at, authored, reviewed, commits, people, seen_at, collect(DISTINCT x) AS changes, collect(r) AS links
RETURN p.key AS key, p.name AS name, score, authored, reviewed, commits, last_at, coalesce(p.bot, false) AS bot,
  seen_at IS NULL AND last_at < $as_of - 31536000 AS inactive, people, p, changes, links
ORDER BY score DESC, key LIMIT 1000
