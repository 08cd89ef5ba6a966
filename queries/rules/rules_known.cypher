// kind: internal
// returns: key, name, slot, value, conditions, subject, valid_from, valid_to, authority, doc, applies (keys), replaced (by which key, in which scope, from, to)
// Every rule the viewer may read that had begun, or had been announced, by the instant asked about, with whom it binds
// and every claim that it was replaced, wholly or in a scope: by another rule, or by a document that replaces its own.
MATCH (x:Rule) WHERE readable(x)
OPTIONAL MATCH (c:Entity {key: x.doc}) WHERE visible(c) AND NOT c:Chunk
WITH x, c
OPTIONAL MATCH (x)-[b:APPLIES_TO|JUSTIFIED_BY|SUPERSEDES]->(t) WHERE stated(b) AND readable(t)
WITH x, c, collect(DISTINCT CASE WHEN type(b) = 'APPLIES_TO' THEN t.key END) AS applies,
  min(CASE WHEN b.recorded_at > 0 THEN b.recorded_at ELSE 9999999999 END) AS announced
WHERE (coalesce(x.at, 0) <= $as_of OR c IS NOT NULL OR announced <= $as_of) AND (c IS NULL OR coalesce(c.at, 0) <= $known_at)
OPTIONAL MATCH (n)-[r:SUPERSEDES]->(x) WHERE stated(r) AND readable(n) AND NOT n:Chunk
WITH x, c, list.sort(applies) AS applies, collect(CASE WHEN n IS NOT NULL THEN [n.key, r.scope, r.valid_from, r.valid_to] END) AS direct
OPTIONAL MATCH (n)-[r:SUPERSEDES]->(c) WHERE stated(r) AND readable(n) AND visible(c) AND (n:Doc OR (n:Rule AND n.slot = x.slot))
WITH x, c, applies, direct, collect(CASE WHEN n IS NOT NULL THEN [n.key, CASE WHEN n:Rule THEN null ELSE r.scope END, r.valid_from, r.valid_to] END) AS through
RETURN x.key AS key, coalesce(x.title, x.name) AS name, x.slot AS slot, x.value AS value, x.conditions AS conditions, x.subject AS subject,
  coalesce(x.valid_from, x.at, 0) AS valid_from, x.valid_to AS valid_to, x.authority AS authority, x.doc AS doc, applies, direct + through AS replaced
ORDER BY key LIMIT 20000
