// kind: internal
// params: alert: str
// example: {alert: "alert:0e06d5f413d88dc9"}
// returns: key, name, title, severity, status, at, ended_at, labels, on, on_name, tier, owner, owner_name, text
// An alert as it came in, with the service or resource it fired on and who owns that now; one row for each place it fired on.
MATCH (a:Entity:Alert {key: $alert}) WHERE visible(a)
OPTIONAL MATCH (a)-[f:FIRED_ON]->(s) WHERE current(f) AND visible(s) AND (s:Service OR s:Resource)
WITH a, s, f
OPTIONAL MATCH (o)-[w:OWNS]->(s) WHERE current(w) AND visible(o) AND visible(s)
WITH a, s, f, o, w ORDER BY o:Person, o.key, w.aid
WITH a, s, f, collect(o) AS owners, collect(w)[..1] AS owns
OPTIONAL MATCH (c:Chunk)-[p:PART_OF]->(a) WHERE visible(c) AND current(p)
WITH a, s, f, owners[..1] AS owners, owns, c ORDER BY c.n
WITH a, s, f, owners, owns, collect(c.text)[..3] AS texts
RETURN a.key AS key, a.name AS name, a.title AS title, a.severity AS severity, a.status AS status, a.at AS at,
  CASE WHEN a.ended_at <= $as_of THEN a.ended_at END AS ended_at, a.labels AS labels, s.key AS on, s.name AS on_name, s.tier AS tier,
  owners[0].key AS owner, owners[0].name AS owner_name, texts, a, s, f, owners, owns
ORDER BY key, on LIMIT 20
