// kind: internal
// params: alert: str, title: str, things: list[str], until: int, k: int = 20
// example: {alert: "alert:0e06d5f413d88dc9", title: "ThresholdEvaluationLag", things: ["service:threshold-watch"], until: 1791945660}
// returns: key, name, at, ended_at, same (whether an alert of the same name on the same thing belongs to it), on, causes, fixes, cause_on,
// returns: cause_changes, alerts, doc
// Incidents that were over before this alert, about what it fired on or near it, with what caused and what fixed them.
MATCH (s:Entity) WHERE s.key IN $things AND visible(s) AND NOT s:Chunk
MATCH (i:Incident)-[b:ABOUT]->(s) WHERE visible(i) AND visible(s) AND current(b) AND coalesce(i.ended_at, i.at) < $until
WITH i, s, b ORDER BY s.key
WITH i, collect(DISTINCT s) AS ss, collect(b)[0] AS b
OPTIONAL MATCH (i)-[g:ABOUT]->(a:Alert) WHERE current(g) AND visible(a) AND visible(i)
WITH i, ss, b, a, g ORDER BY a.key
WITH i, ss, b, collect(a) AS ones, collect(g) AS gs
OPTIONAL MATCH (a:Alert)-[g:ABOUT]->(i) WHERE current(g) AND visible(a) AND visible(i)
WITH i, ss, b, ones, gs, a, g ORDER BY a.key
WITH i, ss, b, ones, gs, collect(a) AS twos, collect(g) AS hs
WITH i, ss, b, ones + twos AS alerts, gs + hs AS gs
WHERE NOT any(a IN alerts WHERE a.key = $alert)
OPTIONAL MATCH (i)-[q:CAUSED_BY]->(c) WHERE current(q) AND visible(c) AND visible(i) AND NOT c:Chunk
WITH i, ss, b, alerts, gs, c, q ORDER BY c.key, q.aid
WITH i, ss, b, alerts, gs, collect(DISTINCT c) AS causes, collect(q) AS qs
OPTIONAL MATCH (i)-[q:FIXED_BY]->(c) WHERE current(q) AND visible(c) AND visible(i) AND NOT c:Chunk
WITH i, ss, b, alerts, gs, causes, qs, c, q ORDER BY c.key, q.aid
WITH i, ss, b, alerts, gs, causes, qs, collect(DISTINCT c) AS fixes, collect(q) AS fs
OPTIONAL MATCH (c)-[t:DEPLOYED_TO|MODIFIES]->(o) WHERE c IN causes AND visible(c) AND visible(o) AND current(t) AND (o:Service OR o:Resource)
WITH i, ss, b, alerts, gs, causes, qs, fixes, fs, o, t ORDER BY o.key, t.id
WITH i, ss, b, alerts, gs, causes, qs, fixes, fs, collect(DISTINCT o) AS onto, collect(t) AS ts
OPTIONAL MATCH (i)-[n:REPORTED_IN]->(d:Doc) WHERE visible(i) AND visible(d) AND current(n)
WITH i, ss, b, alerts, gs, causes, qs, fixes, fs, onto, ts, d, n ORDER BY d.key
WITH i, ss, b, alerts, gs, causes, qs, fixes, fs, onto, ts, collect(d)[0] AS d, collect(n)[0] AS n
WITH i, ss, b, alerts, gs, causes, qs, fixes, fs, onto, ts, d, n, any(a IN alerts WHERE coalesce(a.title, a.name) = $title) AS same
ORDER BY same DESC, size(causes) DESC, i.at DESC, i.key
RETURN i.key AS key, coalesce(i.title, i.name) AS name, i.at AS at, i.ended_at AS ended_at, same, [s IN ss | s.key] AS on, [c IN causes | c.key] AS causes,
  [c IN fixes | c.key] AS fixes, [o IN onto | o.key] AS cause_on, [a IN alerts | coalesce(a.title, a.name)] AS alerts, d.key AS doc,
  i, ss, b, alerts AS went_off, causes AS caused, fixes AS mended, onto, d, gs, qs, fs, ts, n
ORDER BY same DESC, size(causes) DESC, at DESC, key LIMIT $k
