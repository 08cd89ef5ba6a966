// kind: internal
// params: terms: list[str], k: int = 10, labels: list[str] = [], repos: list[str] = [], since: int = 0, until: int? = null, passages: int = 0
// example: {terms: ["gate", "key"]}
// returns: chunk, score, src, src_label, title, text, line, line_end, at, author, repo, url, part
// Passages whose words match, best first by BM25 over what the viewer may read; any of the terms is enough. `terms` are
// prepared by `brain.text.analysis.query_terms`; see `brain.text.ranking` for how the index's score gives a term's frequency.
// `passages` is how many the viewer may read in all; they are counted when it is not known.
UNWIND CASE WHEN $passages > 0 THEN [] ELSE [1] END AS unknown
MATCH (every:Chunk) WHERE visible(every)
WITH count(every) AS counted
WITH CASE WHEN $passages > 0 THEN $passages ELSE counted END AS n
CALL {
  WITH n
  UNWIND $terms AS t
  CALL db.idx.fulltext.queryNodes('Chunk', t) YIELD node AS c, score
  WITH n, t, c, score * coalesce(c.ft_max, 1) AS w
  WHERE visible(c)
  WITH n, t, count(c) AS df, min(w) AS one
  WITH t, one, log(1.0 + (n - df + 0.5) / (df + 0.5)) AS idf
  CALL db.idx.fulltext.queryNodes('Chunk', t) YIELD node AS c, score
  WITH c, idf, score * coalesce(c.ft_max, 1) / one AS tf
  WHERE visible(c) AND (size($labels) = 0 OR c.src_label IN $labels) AND (size($repos) = 0 OR c.repo IN $repos)
    AND c.at >= $since AND c.at < coalesce($until, 9999999999)
  WITH c, sum(idf * tf / (tf + coalesce(c.ft_norm, 1.5))) AS score
  RETURN c, score ORDER BY score DESC, c.key LIMIT $k
}
WITH c, score
MATCH (s:Entity {key: c.src}) WHERE visible(s) AND NOT s:Chunk
RETURN c.key AS chunk, score, c.src AS src, c.src_label AS src_label, c.title AS title, c.text AS text, c.line AS line,
  c.line_end AS line_end, c.at AS at, c.author AS author, c.repo AS repo, c.url AS url, c.part AS part, s
ORDER BY score DESC, chunk LIMIT $k
