// kind: internal
// params: terms: list[str]
// example: {terms: ["batch", "window"]}
// returns: term, keys (of the documents and decisions that say it)
// Which of the words stand in which documents.
UNWIND $terms AS t
CALL db.idx.fulltext.queryNodes('Chunk', t) YIELD node AS c, score
WITH t, c, score WHERE visible(c) AND c.src_label IN ['Doc', 'Decision']
WITH t, collect(DISTINCT c.src) AS keys
RETURN t AS term, keys
ORDER BY term LIMIT 100
