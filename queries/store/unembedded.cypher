// kind: internal
// params: after: str = ""
// returns: key, hash, text
// Passages that have no vector yet, in pages of 500 by key.
MATCH (c:Chunk) WHERE c.emb IS NULL AND c.key > $after AND visible(c)
RETURN c.key AS key, c.hash AS hash, c.text AS text
ORDER BY key LIMIT 500
