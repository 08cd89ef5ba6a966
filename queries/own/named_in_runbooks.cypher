// kind: internal
// params: key: str, k: int = 20
// example: {key: "service:threshold-watch"}
// returns: key, name, doc, doc_name, line, departed_at, now (names of the teams they are in), was (names of those they left), moved_at
// Who is named in the runbooks and procedures that name something, or in guides about it, though they have left, or have left a team.
MATCH (x:Entity {key: $key}) WHERE visible(x) AND NOT x:Chunk
WITH x
MATCH (d:Doc)-[a:ABOUT|MENTIONS]->(x)
WHERE visible(d) AND visible(x) AND current(a)
  AND (d.kind IN ['runbook', 'sop', 'procedure'] OR (d.kind = 'guide' AND type(a) = 'ABOUT'))
WITH DISTINCT d
MATCH (d)-[m:MENTIONS]->(o:Person) WHERE visible(d) AND visible(o) AND current(m)
WITH o, d, collect(m)[0] AS m
OPTIONAL MATCH (o)-[b:MEMBER_OF]->(t:Team) WHERE stated(b) AND visible(t) AND b.valid_from <= $as_of
WITH o, d, m, collect(CASE WHEN coalesce(b.valid_to, 9999999999) > $as_of THEN t.name END) AS now,
  collect(CASE WHEN b.valid_to <= $as_of THEN t.name END) AS was, max(CASE WHEN b.valid_to <= $as_of THEN b.valid_to END) AS moved_at
WHERE o.departed_at <= $as_of OR size([w IN was WHERE NOT w IN now]) > 0
RETURN o.key AS key, o.name AS name, d.key AS doc, d.name AS doc_name, m.line AS line, o.departed_at AS departed_at, now,
  [w IN was WHERE NOT w IN now] AS was, moved_at, o, d, m
ORDER BY key, doc LIMIT $k
