// kind: internal
// params: key: str
// example: {key: "ticket:OPS-187"}
// returns: key, name, label, aid, valid_from, valid_to
// To whom a ticket, issue or incident is assigned now, people and teams, with the claim that says so.
MATCH (t:Entity {key: $key})-[r:ASSIGNED_TO]->(p:Entity) WHERE visible(t) AND visible(p) AND current(r) AND NOT t:Chunk AND NOT p:Chunk
RETURN p.key AS key, p.name AS name, [l IN labels(p) WHERE l <> 'Entity'][0] AS label, r.aid AS aid, r.valid_from AS valid_from,
  r.valid_to AS valid_to, t, r, p
ORDER BY label, key, aid LIMIT 100
