// kind: internal
// params: key: str
// example: {key: "system:messaging"}
// returns: key, name: the services and resources that something is about
// Where dependencies start from: of an alert what it fired on, of an incident or ticket what it is about, of a deployment what was
// deployed, of a system or domain the parts of it, else the thing itself.
MATCH (x:Entity {key: $key}) WHERE visible(x) AND NOT x:Chunk
CALL {
  WITH x
  MATCH (x)-[r:FIRED_ON|ABOUT|DEPLOYED_TO]->(s) WHERE current(r) AND visible(s) AND (s:Service OR s:Resource OR s:Api OR s:Module)
  RETURN s.key AS key, s.name AS name
  UNION
  WITH x
  MATCH (s:Service)-[p:PART_OF]->(x) WHERE current(p) AND visible(s) AND visible(x) AND x:System
  RETURN s.key AS key, s.name AS name
  UNION
  WITH x
  MATCH (s:Service)-[p:PART_OF]->(y:System)-[q:PART_OF]->(x) WHERE current(p) AND current(q) AND visible(s) AND visible(y) AND visible(x) AND x:Domain
  RETURN s.key AS key, s.name AS name
}
RETURN DISTINCT key, name ORDER BY key LIMIT 200
