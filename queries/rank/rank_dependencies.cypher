// kind: internal
// guards: h, v, w
// params: k: int = 10
// returns: place, key, name, score (a share of one), n (services that depend on it directly), tier
// What most rests on: services by PageRank over who depends on whom. By the server, for who may read every label; empty for
// everybody else, and unless every dependency that is stored holds at the instant asked about.
MATCH (w:Service)
OPTIONAL MATCH (w)-[h:DEPENDS_ON]->(v:Service)
WHERE NOT h.access IN $viewer_access OR h.access IS NULL OR h.state <> 'approved' OR h.valid_from > $as_of
  OR coalesce(h.valid_to, 9999999999) <= $as_of OR h.recorded_at > $known_at
  OR NOT v.access IN $viewer_access OR NOT w.access IN $viewer_access
WITH count(h) AS hidden
CALL algo.pageRank('Service', 'DEPENDS_ON') YIELD node AS p, score
WITH hidden, p, score WHERE 'restricted' IN $viewer_access AND hidden = 0 AND visible(p)
OPTIONAL MATCH (s:Service)-[r:DEPENDS_ON]->(p) WHERE current(r) AND visible(s)
WITH p, score, count(DISTINCT s) AS n WHERE n > 0
WITH p, score, n ORDER BY score DESC, p.key
WITH collect([p, score, n]) AS found, sum(score) AS whole
UNWIND range(0, size(found) - 1) AS i
WITH i, found[i] AS row, whole
RETURN i + 1 AS place, row[0].key AS key, row[0].name AS name, row[1] / whole AS score, row[2] AS n, row[0].tier AS tier, row[0] AS p
ORDER BY place, key LIMIT $k
