// kind: internal
// returns: key, name, slot, value, conditions, subject, valid_from, valid_to, authority, doc, applies (keys), replaces (keys)
// Every rule the viewer may read, whenever it holds, with what it applies to and what it replaces; asked at the end of time.
MATCH (u:Rule) WHERE visible(u)
OPTIONAL MATCH (u)-[a:APPLIES_TO]->(t:Entity) WHERE current(a) AND visible(t) AND NOT t:Chunk
WITH u, t ORDER BY t.key
WITH u, collect(DISTINCT t.key) AS applies
OPTIONAL MATCH (u)-[s:SUPERSEDES]->(o:Rule) WHERE current(s) AND visible(o)
WITH u, applies, o ORDER BY o.key
WITH u, applies, collect(DISTINCT o.key) AS replaces
RETURN u.key AS key, u.name AS name, u.slot AS slot, u.value AS value, u.conditions AS conditions, u.subject AS subject,
  u.valid_from AS valid_from, u.valid_to AS valid_to, u.authority AS authority, u.doc AS doc, applies, replaces
ORDER BY name, valid_from, key LIMIT 5000
