// kind: internal
// returns: key, name, label, n (things it owns), about, about_name (one of them), source, line, quote
// Teams that own something and have nobody in them: they were disbanded, renamed, or never existed.
MATCH (t:Team)-[r:OWNS]->(x:Entity) WHERE current(r) AND visible(t) AND visible(x) AND NOT x:Chunk
WITH t, r, x ORDER BY x.key, r.id
WITH t, count(r) AS n, collect([r, x])[0] AS first
OPTIONAL MATCH (m:Entity)-[i:MEMBER_OF|PART_OF]->(t)
WHERE current(i) AND visible(m) AND NOT m:Chunk AND coalesce(m.departed_at, 9999999999) > $as_of
WITH t, n, first[0] AS r, first[1] AS x, count(i) AS members
WHERE members = 0
OPTIONAL MATCH (e:Evidence {id: r.evidence[0]}) WHERE visible(e)
RETURN t.key AS key, t.name AS name, 'Team' AS label, n, x.key AS about, x.name AS about_name, e.source AS source, e.line AS line, e.quote AS quote
ORDER BY n DESC, key LIMIT 5000
