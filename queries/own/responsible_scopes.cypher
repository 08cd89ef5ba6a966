// kind: internal
// params: key: str, chain: list[str] = []
// example: {key: "service:map-tiles"}
// returns: role (code, system, owner, or members when it is known who is in which team), key, of (what the owner owns)
// Where to look for who answers for something: the place of its code, the systems it belongs to, and who owns it or something of
// the chain of places above it now.
MATCH (x:Entity {key: $key}) WHERE visible(x) AND NOT x:Chunk
CALL {
  WITH x
  MATCH (x)-[c:CODE_IN]->(s:Entity) WHERE current(c) AND counted(c) AND visible(s)
  RETURN 'code' AS role, s.key AS key, x.key AS of
  UNION ALL
  WITH x
  MATCH (x)-[p:PART_OF]->(s:System) WHERE visible(s) AND visible(x) AND current(p)
  RETURN 'system' AS role, s.key AS key, x.key AS of
  UNION ALL
  UNWIND $chain + [$key] AS place
  MATCH (y:Entity {key: place}) WHERE visible(y) AND NOT y:Chunk
  WITH y
  MATCH (s)-[o:OWNS]->(y) WHERE current(o) AND visible(s) AND visible(y)
  RETURN 'owner' AS role, s.key AS key, y.key AS of
  UNION ALL
  MATCH (p:Person)-[m:MEMBER_OF]->(s:Team) WHERE current(m) AND visible(p) AND visible(s)
  RETURN 'members' AS role, s.key AS key, '' AS of ORDER BY key LIMIT 1
}
RETURN DISTINCT role, key, of
ORDER BY role, key, of LIMIT 500
