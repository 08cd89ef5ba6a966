// kind: internal
// params: fingerprints: list[str]
// example: {fingerprints: ["0e06d5f413d88dc9"]}
// returns: key, fingerprint, name, title, severity, at, ended_at, on, on_name
// The loaded alerts that bear one of these fingerprints, or whose key begins with one, with what each fired on, services first.
MATCH (a:Alert) WHERE visible(a) AND (a.fingerprint IN $fingerprints OR split(substring(a.key, 6), '@')[0] IN $fingerprints)
OPTIONAL MATCH (a)-[f:FIRED_ON]->(s) WHERE current(f) AND visible(s) AND (s:Service OR s:Resource)
WITH a, s, f ORDER BY s:Resource, s.key
WITH a, collect(s) AS places, collect(f) AS fired
RETURN a.key AS key, coalesce(a.fingerprint, split(substring(a.key, 6), '@')[0]) AS fingerprint, a.name AS name, a.title AS title,
  a.severity AS severity, a.at AS at, CASE WHEN a.ended_at <= $as_of THEN a.ended_at END AS ended_at, places[0].key AS on, places[0].name AS on_name,
  a, places, fired
ORDER BY at DESC, key LIMIT 5000
