// kind: internal
// params: alert: str
// example: {alert: "alert:0f46b9b48bacf2ff"}
// returns: key, name, doc, causes, fixes
// Incidents that this very alert belongs to, with what people wrote down as cause and remedy: to be told beside an investigation and
// kept out of what it rests on.
MATCH (a:Entity:Alert {key: $alert}) WHERE visible(a)
CALL {
  WITH a
  MATCH (i:Incident)-[g:ABOUT]->(a) WHERE visible(i) AND visible(a) AND current(g)
  RETURN i
  UNION
  WITH a
  MATCH (a)-[g:ABOUT]->(i:Incident) WHERE visible(i) AND visible(a) AND current(g)
  RETURN i
}
WITH DISTINCT i
OPTIONAL MATCH (i)-[q:CAUSED_BY]->(c) WHERE current(q) AND visible(c) AND visible(i) AND NOT c:Chunk
WITH i, collect(DISTINCT c) AS causes
OPTIONAL MATCH (i)-[q:FIXED_BY]->(c) WHERE current(q) AND visible(c) AND visible(i) AND NOT c:Chunk
WITH i, causes, collect(DISTINCT c) AS fixes
OPTIONAL MATCH (i)-[n:REPORTED_IN]->(d:Doc) WHERE visible(i) AND visible(d) AND current(n)
WITH i, causes, fixes, collect(d) AS docs
RETURN i.key AS key, coalesce(i.title, i.name) AS name, [d IN docs | d.key] AS docs, [c IN causes | c.key] AS causes, [c IN fixes | c.key] AS fixes,
  i, causes AS caused, fixes AS mended, docs AS told
ORDER BY key LIMIT 20
