// kind: internal
// params: key: str, terms: list[str], pool: int = 20, k: int = 5
// example: {key: "issue:merefold/gatekeeper#8", terms: ["gate", "move", "show"]}
// returns: section (duplicate, reviewer or label), key, name, score, because
// A draft for an issue: the issues most like it by their words, the people who wrote or reviewed the changes that closed such
// issues or touched the same files, and the labels such issues carry. `terms` are prepared from the issue's own text.
MATCH (i:Entity:Issue {key: $key}) WHERE visible(i)
UNWIND $terms AS t
CALL db.idx.fulltext.queryNodes('Chunk', t) YIELD node AS c, score
WITH i, t, c, score * coalesce(c.ft_max, 1) AS w
WHERE visible(c) AND c.src_label = 'Issue' AND c.part = 'body'
WITH i, t, collect([c, w]) AS hits, count(c) AS df, min(w) AS one
UNWIND hits AS hit
WITH i, hit[0] AS c, hit[1] / one AS tf, log(1.0 + 1000.0 / df) AS idf
WITH i, c, sum(idf * tf / (tf + coalesce(c.ft_norm, 1.5))) AS score WHERE c.src <> $key
WITH i, c.src AS src, max(score) AS score ORDER BY score DESC, src
WITH i, collect([src, score])[..$pool] AS hits
UNWIND hits AS hit
MATCH (s:Entity:Issue {key: hit[0]}) WHERE visible(s)
WITH i, s, hit[1] * CASE WHEN s.repo = i.repo THEN 1.0 ELSE 0.6 END AS score ORDER BY score DESC, s.key
WITH i, collect([s, score]) AS similar
CALL {
  WITH similar
  UNWIND similar[..$k] AS pair
  WITH pair[0] AS x, pair[1] AS score
  RETURN 'duplicate' AS section, x.key AS key, x.title AS name, score, [] AS because, x AS subject, [] AS links
  UNION ALL
  WITH i, similar
  UNWIND similar AS pair
  WITH i, pair[0] AS s, pair[1] AS score
  MATCH (x:PullRequest)-[cl:CLOSES]->(s) WHERE visible(x) AND visible(s) AND current(cl)
  MATCH (p:Person)-[r:AUTHORED|REVIEWED]->(x)
  WHERE visible(p) AND current(r) AND coalesce(p.bot, false) = false AND p.key <> ('person:' + toLower(coalesce(i.author, '')))
  WITH p, x, score, r ORDER BY type(r), coalesce(r.at, 0), r.id
  WITH p, x, max(score) AS score, collect(r) AS links, max(CASE WHEN type(r) = 'AUTHORED' THEN 1.0 ELSE 0.7 END) AS part
  WITH p, x, score * part AS score, links ORDER BY score DESC, x.key
  WITH p, sum(score) AS score, collect(x) AS changes, collect(links[0]) AS links ORDER BY score DESC, p.key
  WITH collect([p, score, changes, links])[..$k] AS best
  UNWIND best AS row
  WITH row[0] AS p, row[1] AS score, row[2] AS changes, row[3] AS links
  RETURN 'reviewer' AS section, p.key AS key, p.name AS name, score, [x IN changes[..3] | x.key] AS because, p AS subject, changes[..3] + links[..3] AS links
  UNION ALL
  WITH similar
  UNWIND similar AS pair
  WITH pair[0] AS s, pair[1] AS score
  UNWIND s.labels AS label
  WITH label, sum(score) AS score, collect(s) AS issues ORDER BY score DESC, label
  WITH collect([label, score, issues])[..$k] AS best
  UNWIND best AS row
  WITH row[0] AS label, row[1] AS score, row[2] AS issues
  RETURN 'label' AS section, label AS key, label AS name, score, [s IN issues[..3] | s.key] AS because, null AS subject, issues[..3] AS links
}
RETURN section, key, name, score, because, subject, links
ORDER BY section, score DESC, key LIMIT 100
