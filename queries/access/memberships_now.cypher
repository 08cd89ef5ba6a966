// kind: internal
// params: person: str
// returns: src, src_name, rel, dst, dst_name, holds, state, access, valid_from, valid_to, source, line, quote, file
// The memberships that make a person one of a group now, and of the teams above it, as far as the viewer may see them.
MATCH (p:Entity {key: $person})-[m:MEMBER_OF]->(g:Team) WHERE visible(p) AND visible(g) AND current(m)
OPTIONAL MATCH (e:Evidence {id: m.evidence[0]}) WHERE visible(e)
RETURN p.key AS src, p.name AS src_name, type(m) AS rel, g.key AS dst, g.name AS dst_name, true AS holds, m.state AS state, m.access AS access,
  m.valid_from AS valid_from, m.valid_to AS valid_to, e.source AS source, e.line AS line, e.quote AS quote, e.file AS file
ORDER BY src, rel, dst, valid_from, quote LIMIT 500
UNION ALL
MATCH (p:Entity {key: $person})-[m:HOLDS_ROLE|HAS_ROLE|IN_CHANNEL]->(g:Entity)
WHERE visible(p) AND visible(g) AND NOT g:Chunk AND current(m)
  AND coalesce(m.valid_from, 0) <= $as_of AND coalesce(m.valid_to, 9999999999) > $as_of
OPTIONAL MATCH (e:Evidence {id: m.evidence[0]}) WHERE visible(e)
RETURN p.key AS src, p.name AS src_name, type(m) AS rel, g.key AS dst, g.name AS dst_name, true AS holds, m.state AS state, m.access AS access,
  m.valid_from AS valid_from, m.valid_to AS valid_to, e.source AS source, e.line AS line, e.quote AS quote, e.file AS file
ORDER BY src, rel, dst, valid_from, quote LIMIT 500
UNION ALL
MATCH (p:Entity {key: $person})-[m:MEMBER_OF]->(s:Team)-[q:PART_OF*0..5]->(t:Team)-[r:PART_OF]->(g:Team)
WHERE visible(p) AND visible(s) AND visible(t) AND visible(g) AND current(m) AND current(r)
  AND current(q) AND visible(startNode(q)) AND visible(endNode(q))
WITH DISTINCT t, r, g
RETURN t.key AS src, t.name AS src_name, type(r) AS rel, g.key AS dst, g.name AS dst_name, true AS holds, null AS state, g.access AS access,
  null AS valid_from, null AS valid_to, null AS source, null AS line, null AS quote, null AS file
ORDER BY src, rel, dst LIMIT 500
