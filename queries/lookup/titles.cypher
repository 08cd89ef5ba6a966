// kind: internal
// params: terms: list[str], k: int = 40
// example: {terms: ["gate", "move"]}
// returns: key, title, score
// Items whose first passage has most of the words, best first: candidates for a title somebody typed.
UNWIND $terms AS t
CALL db.idx.fulltext.queryNodes('Chunk', t) YIELD node AS c, score
WITH t, c, score WHERE visible(c) AND c.n = 0 AND c.part = 'body'
WITH t, collect(c) AS hits, count(c) AS df
UNWIND hits AS c
WITH c, sum(log(1.0 + 1000.0 / df)) AS score
WITH c, score ORDER BY score DESC, c.key
WITH collect([c.src, c.title, score])[..$k] AS best
UNWIND best AS h
RETURN h[0] AS key, h[1] AS title, h[2] AS score
ORDER BY score DESC, key LIMIT 200
