// kind: internal
// params: person: str
// returns: key
// The teams, the teams above them, the roles and the channels that a person is in at the instant.
MATCH (p:Entity {key: $person})-[m:MEMBER_OF]->(g:Team) WHERE visible(p) AND visible(g) AND current(m)
RETURN g.key AS key
ORDER BY key LIMIT 500
UNION
MATCH (p:Entity {key: $person})-[m:MEMBER_OF]->(t:Team)-[r:PART_OF*1..6]->(g:Team)
WHERE visible(p) AND visible(t) AND visible(g) AND current(m) AND current(r) AND visible(startNode(r)) AND visible(endNode(r))
RETURN DISTINCT g.key AS key
ORDER BY key LIMIT 500
UNION
MATCH (p:Entity {key: $person})-[m:HOLDS_ROLE|HAS_ROLE|IN_CHANNEL]->(g:Entity)
WHERE visible(p) AND visible(g) AND current(m) AND coalesce(m.valid_from, 0) <= $as_of AND coalesce(m.valid_to, 9999999999) > $as_of
RETURN g.key AS key
ORDER BY key LIMIT 500
