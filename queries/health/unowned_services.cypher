// kind: internal
// returns: key, name, label, named (whether an owner is named at all), about, about_name (an owner named who has left), unknown (whether only others name it), repo
// Services that nobody who is still there answers for.
MATCH (s:Service) WHERE visible(s)
OPTIONAL MATCH (o:Entity)-[r:OWNS]->(s) WHERE current(r) AND visible(o) AND NOT o:Chunk
WITH s, r, o ORDER BY o.key
WITH s, collect(o) AS owners
WITH s, owners, [o IN owners WHERE coalesce(o.departed_at, 9999999999) > $as_of] AS there
WHERE size(there) = 0
RETURN s.key AS key, s.name AS name, 'Service' AS label, size(owners) > 0 AS named, owners[0].key AS about, owners[0].name AS about_name,
  coalesce(s.unknown, false) AS unknown, s.repo AS repo
ORDER BY key LIMIT 5000
