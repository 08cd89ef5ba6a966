// kind: internal
// params: terms: list[str]
// example: {terms: ["batch", "window"]}
// returns: term, n
// In how many passages each term stands: how telling it is that two texts share it. `terms` are as the index holds them.
UNWIND $terms AS t
CALL db.idx.fulltext.queryNodes('Chunk', t) YIELD node AS c
WITH t, c WHERE visible(c)
WITH t, count(c) AS n
RETURN t AS term, n
ORDER BY term LIMIT 500
