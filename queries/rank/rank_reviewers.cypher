// kind: internal
// params: k: int = 10
// returns: place, key, name, score (a share of one), n (reviews given), people (whose changes)
// Whose reviews matter most: every author's PageRank over who reviews whom, shared among the author's reviewers by the number
// of their reviews. By the server over all that is loaded, for who may read every label; empty for everybody else.
CALL algo.pageRank('Person', 'REVIEWS_FOR') YIELD node AS a, score AS rank
WITH a, rank WHERE 'restricted' IN $viewer_access AND visible(a)
MATCH (p:Person)-[r:REVIEWS_FOR]->(a) WHERE visible(p) AND current(r) AND counted(r)
WITH a, rank, collect([p, r]) AS pairs, sum(r.n) AS reviews
UNWIND pairs AS pair
WITH pair[0] AS p, pair[1] AS r, rank, reviews
WITH p, sum(rank * r.n / reviews) AS score, toInteger(sum(r.n)) AS n, count(r) AS people
WHERE coalesce(p.bot, false) = false
WITH p, score, n, people ORDER BY score DESC, p.key
WITH collect([p, score, n, people]) AS found, sum(score) AS whole
UNWIND range(0, size(found) - 1) AS i
WITH i, found[i] AS row, whole
RETURN i + 1 AS place, row[0].key AS key, row[0].name AS name, row[1] / whole AS score, row[2] AS n, row[3] AS people, row[0] AS p
ORDER BY place, key LIMIT $k
