// kind: internal
// guards: h, v, w
// params: k: int = 10
// example: {k: 5}
// returns: place, key, name, score (1 for the greatest), n (repositories of the person, or people of the repository)
// What holds the organisation together: people and repositories by betweenness, the share of shortest ways over who
// contributes where that run through them. Empty unless the viewer may read everything it rests on and the instant is not
// before the newest of it.
MATCH (w:Person)
OPTIONAL MATCH (w)-[h:CONTRIBUTES_TO]->(v:Repo) WHERE NOT h.basis IN $viewer_basis OR h.at > $as_of
  OR NOT v.access IN $viewer_access OR NOT w.access IN $viewer_access
WITH count(h) AS hidden
CALL algo.betweenness({nodeLabels: ['Person', 'Repo'], relationshipTypes: ['CONTRIBUTES_TO', 'HAS_CONTRIBUTOR'], samplingSize: 64, samplingSeed: 7}) YIELD node AS p, score
WITH hidden, p, score
WHERE hidden = 0 AND visible(p) AND NOT p:Chunk AND coalesce(p.bot, false) = false
MATCH (p)-[r:CONTRIBUTES_TO]-(o:Entity) WHERE visible(o) AND current(r) AND counted(r)
WITH p, score, count(DISTINCT o) AS n WHERE score > 0
WITH p, score, n ORDER BY score DESC, p.key
WITH collect([p, score, n]) AS found, max(score) AS most
UNWIND range(0, size(found) - 1) AS i
WITH i, found[i] AS row, most
RETURN i + 1 AS place, row[0].key AS key, row[0].name AS name, row[1] / most AS score, row[2] AS n, row[0] AS p
ORDER BY place, key LIMIT $k
