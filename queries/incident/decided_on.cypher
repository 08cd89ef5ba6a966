// kind: internal
// params: things: list[str], k: int = 40
// example: {things: ["service:event-bus"]}
// returns: key, name, kind (decision or rule), on, stated, value, text, line, superseded
// Decisions and rules about any of these things, and decisions whose record names one, as they stand: what replaced them counts.
MATCH (s:Entity) WHERE s.key IN $things AND visible(s) AND NOT s:Chunk
CALL {
  WITH s
  MATCH (d)-[a:ABOUT|APPLIES_TO]->(s) WHERE visible(d) AND visible(s) AND current(a) AND (d:Decision OR d:Rule)
  RETURN d, a
  UNION
  WITH s
  MATCH (x:Doc)-[a:MENTIONS]->(s) WHERE visible(x) AND visible(s) AND current(a)
  MATCH (d:Decision)-[p:PART_OF]->(x) WHERE visible(d) AND visible(x) AND current(p)
  RETURN d, a
}
WITH d, s, a ORDER BY type(a), s.key
WITH d, collect(DISTINCT s) AS ss, collect(a)[0] AS a
OPTIONAL MATCH (n)-[r:SUPERSEDES]->(d) WHERE current(r) AND visible(n) AND visible(d) AND NOT n:Chunk AND coalesce(r.scope, '') = ''
  AND NOT toLower(coalesce(n.stated, '')) IN ['proposed', 'rejected', 'draft', 'declined', 'withdrawn']
WITH d, ss, a, count(n) AS newer
OPTIONAL MATCH (x:Entity {key: d.doc}) WHERE visible(x) AND NOT x:Chunk
WITH d, ss, a, newer, x
OPTIONAL MATCH (c:Chunk)-[p:PART_OF]->(x) WHERE visible(c) AND visible(x) AND current(p) AND d:Decision
WITH d, ss, a, newer, x, c ORDER BY c.n, c.key
WITH d, ss, a, newer, x, [c IN collect(c)[..6] | [c.text, c.line, c.line_end]] AS texts
RETURN d.key AS key, coalesce(d.title, d.name) AS name, CASE WHEN d:Rule THEN 'rule' ELSE 'decision' END AS kind, [s IN ss | s.key] AS on, d.stated AS stated,
  d.value AS value, d.number AS number, x.key AS doc, texts, newer > 0 AS superseded, d, ss, a, x
ORDER BY key LIMIT $k
