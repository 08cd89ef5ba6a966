// kind: internal
// params: vector: list[float], k: int = 10, labels: list[str] = [], repos: list[str] = [], since: int = 0, until: int? = null
// returns: chunk, score, src, src_label, title, text, line, line_end, at, author, repo, url, part
// Passages nearest in meaning, exactly: filters first, then compares with every passage that is left.
MATCH (c:Chunk)
WHERE (size($repos) = 0 OR c.repo IN $repos) AND (size($labels) = 0 OR c.src_label IN $labels)
  AND c.at >= $since AND c.at < coalesce($until, 9999999999) AND visible(c) AND c.emb IS NOT NULL
WITH c, 1 - vec.cosineDistance(c.emb, vecf32($vector)) AS score
WITH c, score ORDER BY score DESC, c.key
WITH collect([c, score])[..$k] AS best
UNWIND best AS hit
WITH hit[0] AS c, hit[1] AS score
MATCH (s:Entity {key: c.src}) WHERE visible(s) AND NOT s:Chunk
RETURN c.key AS chunk, score, c.src AS src, c.src_label AS src_label, c.title AS title, c.text AS text, c.line AS line,
  c.line_end AS line_end, c.at AS at, c.author AS author, c.repo AS repo, c.url AS url, c.part AS part, s
ORDER BY score DESC, chunk LIMIT $k
