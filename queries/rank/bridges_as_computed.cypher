// kind: internal
// params: keys: list[str], scores: list[float], counts: list[int]
// example: {keys: ["person:ncarrowby"], scores: [1.0], counts: [2]}
// returns: place, key, name, score (1 for the greatest), n (repositories of the person, or people of the repository)
// People and repositories with ranks that were computed outside, in the order given.
UNWIND range(0, size($keys) - 1) AS i
MATCH (p:Entity {key: $keys[i]}) WHERE visible(p) AND NOT p:Chunk
RETURN i + 1 AS place, p.key AS key, p.name AS name, $scores[i] AS score, $counts[i] AS n, p
ORDER BY place, key LIMIT 1000
