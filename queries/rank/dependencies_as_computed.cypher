// kind: internal
// params: keys: list[str], scores: list[float]
// returns: place, key, name, score (a share of one), n (services that depend on it directly), tier
// Services with ranks that were computed outside, in the order given.
UNWIND range(0, size($keys) - 1) AS i
MATCH (p:Entity:Service {key: $keys[i]}) WHERE visible(p)
OPTIONAL MATCH (s:Service)-[r:DEPENDS_ON]->(p) WHERE current(r) AND visible(s)
WITH i, p, count(DISTINCT s) AS n
RETURN i + 1 AS place, p.key AS key, p.name AS name, $scores[i] AS score, n, p.tier AS tier, p
ORDER BY place, key LIMIT 1000
