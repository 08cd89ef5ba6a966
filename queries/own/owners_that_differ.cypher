// kind: internal
// params: keys: list[str] = []
// returns: thing, name, owner, owner_name, connector, kind, authority, valid_from, valid_to, from_key, line, quote, teams, aid
// Who owns what by more than one source of record or rule, where the sources name more than one owner; what somebody says of a
// directory or repository counts for the service whose code lies there. Of these things only (none: of all).
CALL {
  MATCH (o:Team)-[r:OWNS]->(y:Entity) WHERE current(r) AND visible(o) AND visible(y) AND r.authority IN ['record', 'formal_rule']
  RETURN y AS thing, o, r, null AS c
  UNION ALL
  MATCH (o:Person)-[r:OWNS]->(y:Entity) WHERE current(r) AND visible(o) AND visible(y) AND r.authority IN ['record', 'formal_rule']
  RETURN y AS thing, o, r, null AS c
  UNION ALL
  MATCH (y:Service)-[c:CODE_IN]->(d:Entity)<-[r:OWNS]-(o:Entity)
  WHERE current(r) AND visible(o) AND visible(d) AND visible(y) AND current(c) AND counted(c) AND r.authority IN ['record', 'formal_rule']
  RETURN y AS thing, o, r, c
}
WITH thing, o, r, c WHERE size($keys) = 0 OR thing.key IN $keys
WITH thing, count(DISTINCT o) AS owners, count(DISTINCT r.access_key) AS sources, collect([o, r, c]) AS claims WHERE owners > 1 AND sources > 1
UNWIND claims AS claim
WITH thing, claim[0] AS o, claim[1] AS r, claim[2] AS c
OPTIONAL MATCH (e:Evidence {id: r.evidence[0]}) WHERE visible(e)
OPTIONAL MATCH (s:Entity {key: r.access_key}) WHERE visible(s) AND NOT s:Chunk
WITH thing, o, r, c, e, s
OPTIONAL MATCH (o)-[m:MEMBER_OF]->(g:Team) WHERE current(m) AND visible(g) AND visible(o)
WITH thing, o, r, c, e, s, collect(DISTINCT g.key) AS teams
RETURN thing.key AS thing, thing.name AS name, o.key AS owner, o.name AS owner_name, split(coalesce(r.rule, ''), ':')[0] AS connector, s.kind AS kind,
  r.authority AS authority, r.valid_from AS valid_from, r.valid_to AS valid_to, coalesce(e.source, r.access_key) AS from_key, e.line AS line,
  e.quote AS quote, teams, r.aid AS aid, o, r, c, thing AS owned
ORDER BY thing, owner, aid LIMIT 10000
