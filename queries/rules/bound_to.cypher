// kind: internal
// params: key: str
// example: {key: "service:event-bus"}
// returns: key, name
// Whose rules something is under: its own, those of the teams that own it or that somebody belongs to, of roles held, and of the
// system, repository and directory it is part of.
MATCH (x:Entity {key: $key}) WHERE visible(x) AND NOT x:Chunk
CALL {
  WITH x
  RETURN x.key AS key, x.name AS name
  UNION
  WITH x
  MATCH (x)<-[r:OWNS]-(t:Team) WHERE current(r) AND visible(t) AND visible(x)
  RETURN t.key AS key, t.name AS name
  UNION
  WITH x
  MATCH (x)-[r:MEMBER_OF|HOLDS_ROLE]->(t) WHERE current(r) AND visible(t) AND visible(x)
  RETURN t.key AS key, t.name AS name
  UNION
  WITH x
  MATCH (x)-[r:PART_OF]->(t) WHERE current(r) AND visible(t) AND visible(x) AND (t:System OR t:Domain OR t:Team OR t:Service)
  RETURN t.key AS key, t.name AS name
  UNION
  WITH x
  MATCH (x)-[r:CODE_IN]->(t) WHERE current(r) AND counted(r) AND visible(t) AND visible(x)
  RETURN t.key AS key, t.name AS name
}
RETURN key, name ORDER BY key LIMIT 500
