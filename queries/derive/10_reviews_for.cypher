// writes: REVIEWS_FOR
// returns: src (who reviewed), dst (whose change it was), n, last_at, at
// Who reviews whose changes: reviews given, one's own and those of programs left out.
MATCH (p:Person)-[r:REVIEWED]->(x:PullRequest)
WHERE x.gone IS NULL AND x.access IN $labels AND coalesce(p.bot, false) = false AND coalesce(r.state, '') <> 'PENDING'
MATCH (a:Person)-[w:AUTHORED]->(x)
WHERE coalesce(w.co, false) = false AND coalesce(a.bot, false) = false AND a.key <> p.key
WITH p, a, count(r) AS n, max(coalesce(r.at, x.at)) AS last_at
RETURN p.key AS src, a.key AS dst, n, last_at, last_at AS at
ORDER BY src, dst
