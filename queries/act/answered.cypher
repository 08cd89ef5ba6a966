// kind: internal
// params: keys: list[str]
// returns: key, name, label, closed_at, handlers (names), about (keys)
// Which of these tickets, issues and incidents were closed by the instant, who handled them, and what they were about.
MATCH (t:Entity) WHERE t.key IN $keys AND visible(t) AND (t:Ticket OR t:Issue OR t:Incident) AND coalesce(t.closed_at, t.ended_at, 9999999999) <= $as_of
OPTIONAL MATCH (t)-[h:HANDLED_BY]->(p:Person) WHERE visible(t) AND visible(p) AND current(h) AND coalesce(p.bot, false) = false
WITH t, p, h ORDER BY t.key, p.key, h.id
WITH t, collect(DISTINCT p) AS ps, collect(h)[..3] AS hs
OPTIONAL MATCH (t)-[a:ABOUT|MODIFIES]->(y:Entity) WHERE visible(t) AND visible(y) AND current(a) AND NOT y:Chunk
WITH t, ps, hs, y ORDER BY y.key
WITH t, ps, hs, collect(DISTINCT y.key) AS about
RETURN t.key AS key, t.name AS name, [l IN labels(t) WHERE l <> 'Entity'][0] AS label, coalesce(t.closed_at, t.ended_at) AS closed_at,
  [p IN ps | p.name] AS handlers, about, t, ps, hs
ORDER BY key LIMIT 200
