// kind: internal
// returns: key, name, label, kind, tier, lifecycle, unknown (whether only others name it), within (the systems, domains and projects it is part of), owners, leads
// What runs, with what it is called by and filtered by: its kind, tier, lifecycle, what it is part of, who owns and leads it.
MATCH (s:Service) WHERE visible(s)
OPTIONAL MATCH (s)-[a:PART_OF]->(p:Entity) WHERE current(a) AND visible(p) AND NOT p:Chunk
OPTIONAL MATCH (p)-[b:PART_OF]->(q:Entity) WHERE current(b) AND visible(q) AND NOT q:Chunk
WITH s, collect(DISTINCT p.key) + collect(DISTINCT q.key) AS within
OPTIONAL MATCH (o:Entity)-[r:OWNS]->(s) WHERE current(r) AND visible(o) AND NOT o:Chunk
WITH s, within, collect(DISTINCT o.key) AS owners
OPTIONAL MATCH (l:Entity)-[t:TECH_LEAD_OF]->(s) WHERE current(t) AND visible(l) AND NOT l:Chunk
RETURN s.key AS key, s.name AS name, 'Service' AS label, s.kind AS kind, s.tier AS tier, s.lifecycle AS lifecycle,
  coalesce(s.unknown, false) AS unknown, within, owners, collect(DISTINCT l.key) AS leads
ORDER BY key LIMIT 20000
