// kind: internal
// params: terms: list[str], labels: list[str]
// example: {terms: ["batch", "window"], labels: ["Doc"]}
// returns: term, keys (of the sources of these labels that say it)
// Which of the words stand in which texts.
UNWIND $terms AS t
CALL db.idx.fulltext.queryNodes('Chunk', t) YIELD node AS c, score
WITH t, c, score WHERE visible(c) AND c.src_label IN $labels
WITH t, c.src AS key ORDER BY key
WITH t, collect(DISTINCT key) AS keys
RETURN t AS term, keys
ORDER BY term LIMIT 100
