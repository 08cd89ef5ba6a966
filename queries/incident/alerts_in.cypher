// kind: internal
// params: incident: str
// example: {incident: "incident:INC-3"}
// returns: alert, name, at
// The alerts that belong to an incident, the first one first.
MATCH (i:Entity:Incident {key: $incident}) WHERE visible(i)
CALL {
  WITH i
  MATCH (i)-[g:ABOUT]->(a:Alert) WHERE visible(i) AND visible(a) AND current(g)
  RETURN a
  UNION
  WITH i
  MATCH (a:Alert)-[g:ABOUT]->(i) WHERE visible(i) AND visible(a) AND current(g)
  RETURN a
}
WITH DISTINCT a
RETURN a.key AS alert, a.name AS name, a.at AS at, a
ORDER BY at, alert LIMIT 20
