// kind: internal
// params: keys: list[str], scores: list[float], counts: list[int], people: list[int]
// example: {keys: ["person:ncarrowby"], scores: [1.0], counts: [3], people: [2]}
// returns: place, key, name, score (a share of one), n (reviews given), people (whose changes)
// Reviewers with ranks that were computed outside, in the order given.
UNWIND range(0, size($keys) - 1) AS i
MATCH (p:Entity:Person {key: $keys[i]}) WHERE visible(p)
RETURN i + 1 AS place, p.key AS key, p.name AS name, $scores[i] AS score, $counts[i] AS n, $people[i] AS people, p
ORDER BY place, key LIMIT 1000
