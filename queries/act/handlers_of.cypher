// kind: internal
// params: keys: list[str]
// returns: key, name, tickets
// Who handled any of these tickets, with those they did.
UNWIND $keys AS k
MATCH (t:Entity:Ticket {key: k})-[h:HANDLED_BY]->(p:Person) WHERE visible(t) AND visible(p) AND current(h) AND coalesce(p.bot, false) = false
WITH p, t, h ORDER BY t.key, h.id
WITH p, collect(DISTINCT t) AS ts, collect(h)[..3] AS hs
RETURN p.key AS key, p.name AS name, [t IN ts | t.key] AS tickets, p, ts[..3] AS some, hs
ORDER BY key LIMIT 500
