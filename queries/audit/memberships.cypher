// kind: audit
// params: person: str
// returns: src, src_name, rel, dst, dst_name, holds, state, access, valid_from, valid_to, source, line, quote, file
// Every membership that would make a person one of a group, and of the teams above it, also those that have ended, have not
// begun or wait for a decision; `holds` is what the rules of access make of it.
MATCH (p:Entity {key: $person})-[m:MEMBER_OF|HOLDS_ROLE|HAS_ROLE|IN_CHANNEL]->(g:Entity)
WHERE type(m) <> 'MEMBER_OF' OR g:Team
OPTIONAL MATCH (e:Evidence {id: m.evidence[0]})
RETURN p.key AS src, p.name AS src_name, type(m) AS rel, g.key AS dst, g.name AS dst_name,
  visible(p) AND visible(g) AND current(m) AND coalesce(m.valid_from, 0) <= $as_of AND coalesce(m.valid_to, 9999999999) > $as_of AS holds,
  m.state AS state, CASE WHEN m.aid IS NULL THEN g.access ELSE m.access END AS access, m.valid_from AS valid_from, m.valid_to AS valid_to,
  coalesce(e.source, g.source) AS source, e.line AS line, e.quote AS quote, e.file AS file
ORDER BY src, rel, dst, valid_from, quote LIMIT 2000
UNION ALL
MATCH (p:Entity {key: $person})-[m:MEMBER_OF]->(:Team)-[:PART_OF*0..5]->(t:Team)-[r:PART_OF]->(g:Team)
WITH DISTINCT t, r, g
RETURN t.key AS src, t.name AS src_name, type(r) AS rel, g.key AS dst, g.name AS dst_name,
  visible(t) AND visible(g) AND current(r) AS holds, null AS state, g.access AS access, null AS valid_from, null AS valid_to,
  t.source AS source, null AS line, null AS quote, null AS file
ORDER BY src, rel, dst LIMIT 2000
