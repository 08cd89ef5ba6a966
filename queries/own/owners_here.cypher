// kind: internal
// returns: key, name, owner, owner_name, label, departed_at, members (how many of a team are still there), unknown (whether the owner is a mere name), elsewhere (whether the service itself is a mere name)
// Each owner that is named for each service, and whether anybody of it is still there; owner is null where none is named.
MATCH (s:Service) WHERE visible(s)
OPTIONAL MATCH (o:Entity)-[r:OWNS]->(s) WHERE current(r) AND visible(o) AND NOT o:Chunk
WITH DISTINCT s, o
OPTIONAL MATCH (m:Person)-[i:MEMBER_OF]->(o) WHERE current(i) AND visible(m) AND coalesce(m.departed_at, 9999999999) > $as_of
RETURN s.key AS key, s.name AS name, o.key AS owner, o.name AS owner_name, CASE WHEN o:Team THEN 'Team' ELSE 'Person' END AS label,
  o.departed_at AS departed_at, count(m) AS members, coalesce(o.unknown, false) AS unknown,
  coalesce(s.unknown, false) AS elsewhere
ORDER BY key, owner LIMIT 50000
