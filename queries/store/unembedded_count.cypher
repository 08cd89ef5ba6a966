// kind: internal
// returns: n
// How many passages have no vector yet.
MATCH (c:Chunk) WHERE c.emb IS NULL AND visible(c)
RETURN count(c) AS n
LIMIT 1
