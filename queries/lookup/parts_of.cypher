// kind: internal
// params: key: str
// example: {key: "service:event-bus"}
// returns: key
// What counts for something: itself, what a team owns, and the parts of a system or domain.
MATCH (x:Entity {key: $key}) WHERE visible(x) AND NOT x:Chunk
CALL {
  WITH x
  RETURN x.key AS key
  UNION
  WITH x
  MATCH (x)-[o:OWNS]->(s) WHERE current(o) AND visible(s) AND visible(x) AND x:Team AND (s:Service OR s:Module OR s:Api OR s:Resource OR s:System)
  RETURN s.key AS key
  UNION
  WITH x
  MATCH (s)-[p:PART_OF*1..2]->(x)
  WHERE visible(startNode(p)) AND visible(endNode(p)) AND current(p) AND visible(s) AND visible(x) AND (x:System OR x:Domain) AND (s:Service OR s:Module OR s:Api OR s:Resource)
  RETURN s.key AS key
}
RETURN key ORDER BY key LIMIT 5000
