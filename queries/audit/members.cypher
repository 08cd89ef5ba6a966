// kind: audit
// params: groups: list[str]
// returns: grp, via, via_name, person, name, departed_at, bot, holds, state, access, valid_from, valid_to, source, line, quote, file, rel
// Who is, was or will be in these groups, directly or through a team below them (`via`), and the people among them themselves;
// `holds` is what the rules of access make of it.
MATCH (p:Person)-[m:MEMBER_OF|HOLDS_ROLE|HAS_ROLE|IN_CHANNEL]->(g:Entity)
WHERE g.key IN $groups AND (type(m) <> 'MEMBER_OF' OR g:Team)
OPTIONAL MATCH (e:Evidence {id: m.evidence[0]})
RETURN g.key AS grp, null AS via, null AS via_name, p.key AS person, p.name AS name, p.departed_at AS departed_at, coalesce(p.bot, false) AS bot,
  visible(p) AND visible(g) AND current(m) AND coalesce(m.valid_from, 0) <= $as_of AND coalesce(m.valid_to, 9999999999) > $as_of AS holds,
  m.state AS state, CASE WHEN m.aid IS NULL THEN g.access ELSE m.access END AS access, m.valid_from AS valid_from, m.valid_to AS valid_to,
  coalesce(e.source, g.source) AS source, e.line AS line, e.quote AS quote, e.file AS file, type(m) AS rel
ORDER BY grp, person, rel, valid_from, quote LIMIT 10000
UNION ALL
MATCH (p:Person)-[m:MEMBER_OF]->(t:Team) MATCH way = (t)-[:PART_OF*1..6]->(g:Team) WHERE g.key IN $groups
OPTIONAL MATCH (e:Evidence {id: m.evidence[0]})
RETURN g.key AS grp, t.key AS via, t.name AS via_name, p.key AS person, p.name AS name, p.departed_at AS departed_at, coalesce(p.bot, false) AS bot,
  visible(p) AND current(m) AND all(r IN relationships(way) WHERE current(r)) AND all(x IN nodes(way) WHERE visible(x)) AS holds,
  m.state AS state, m.access AS access, m.valid_from AS valid_from, m.valid_to AS valid_to,
  e.source AS source, e.line AS line, e.quote AS quote, e.file AS file, type(m) AS rel
ORDER BY grp, person, via, valid_from, quote LIMIT 10000
UNION ALL
MATCH (p:Person) WHERE p.key IN $groups
RETURN p.key AS grp, null AS via, null AS via_name, p.key AS person, p.name AS name, p.departed_at AS departed_at, coalesce(p.bot, false) AS bot,
  visible(p) AS holds, null AS state, p.access AS access, null AS valid_from, null AS valid_to,
  p.source AS source, null AS line, null AS quote, null AS file, 'IS' AS rel
ORDER BY grp LIMIT 1000
