// kind: internal
// params: things: list[str], since: int, until: int, alert: str = "", usual: int = 120, k: int = 60
// example: {things: ["service:threshold-watch"], since: 1791940000, until: 1791950000}
// returns: what (alert or message), key, name, at, ended_at, on, severity, title
// Other alerts on these things and what was said in chat in [since, until) about them, or in terms that the alert uses and that are not
// in more than `usual` texts; in the order of time.
CALL {
  MATCH (s:Entity) WHERE s.key IN $things AND visible(s) AND NOT s:Chunk
  MATCH (x:Alert)-[f:FIRED_ON]->(s) WHERE visible(x) AND visible(s) AND current(f) AND x.at >= $since AND x.at < $until AND x.key <> $alert
  RETURN 'alert' AS what, x, s
  UNION
  MATCH (s:Entity) WHERE s.key IN $things AND visible(s) AND NOT s:Chunk
  MATCH (x:Message)-[f:ABOUT|MENTIONS]->(s) WHERE visible(x) AND visible(s) AND current(f) AND x.at >= $since AND x.at < $until
  RETURN 'message' AS what, x, s
  UNION
  MATCH (a:Entity:Alert {key: $alert})-[m:MENTIONS]->(c:Concept) WHERE visible(a) AND visible(c) AND current(m) AND coalesce(c.uses, 0) <= $usual
  MATCH (x:Message)-[n:MENTIONS]->(c) WHERE visible(x) AND visible(c) AND current(n) AND x.at >= $since AND x.at < $until
  RETURN 'message' AS what, x, c AS s
}
WITH what, x, s ORDER BY s.key
WITH what, x, collect(s)[0] AS s
RETURN what, x.key AS key, x.name AS name, x.at AS at, CASE WHEN x.ended_at <= $as_of THEN x.ended_at END AS ended_at, s.key AS on, x.severity AS severity, x.title AS title, x, s
ORDER BY at, key LIMIT $k
