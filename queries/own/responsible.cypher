// kind: fragment
// takes: x
// params: target: str, keys: list[str], teams: list[str] = []
// Everything that is said about who answers for one of the `keys`, whoever is on call for, leads or belongs to one of the `teams`,
// who keeps the documents about the target, who changed and reviewed the code in the changes x, and who handled tickets of the
// target. Claims that ended are told as such.
WITH collect(DISTINCT x) AS xs
MATCH (y:Entity {key: $target}) WHERE visible(y) AND NOT y:Chunk
WITH xs, y
CALL {
  UNWIND $keys AS key
  MATCH (s:Entity {key: key}) WHERE visible(s) AND NOT s:Chunk
  WITH s
  MATCH (o)-[r:OWNS|TECH_LEAD_OF|ON_CALL_FOR]->(s)
  WHERE stated(r) AND visible(o) AND visible(s) AND r.valid_from <= $as_of
    AND (type(r) <> 'ON_CALL_FOR' OR coalesce(r.valid_to, 9999999999) > $as_of)
  RETURN o, s, r, [r] AS links, [] AS others, null AS n, null AS last_at, null AS score, type(r) AS rel
  UNION ALL
  UNWIND $keys AS key
  MATCH (s:Entity {key: key}) WHERE visible(s) AND NOT s:Chunk
  WITH s
  MATCH (s)-[r:MAINTAINED_BY]->(o)
  WHERE stated(r) AND visible(o) AND visible(s) AND r.valid_from <= $as_of
  RETURN o, s, r, [r] AS links, [] AS others, null AS n, null AS last_at, null AS score, type(r) AS rel
  UNION ALL
  WITH y
  MATCH (s:Doc)-[a:ABOUT]->(y)
  WHERE visible(s) AND visible(y) AND current(a)
  MATCH (s)-[r:MAINTAINED_BY]->(o) WHERE current(r) AND visible(o)
  RETURN o, s, r, [r, a] AS links, [] AS others, null AS n, null AS last_at, null AS score, 'KEEPS' AS rel
  UNION ALL
  WITH y
  MATCH (o:Person)-[r:WROTE]->(y) WHERE current(r) AND visible(o) AND visible(y) AND y:Doc
  WITH o, r, y AS s
  RETURN o, s, r, [r] AS links, [] AS others, null AS n, null AS last_at, null AS score, type(r) AS rel
  UNION ALL
  UNWIND $keys AS key
  MATCH (o:Entity {key: key}) WHERE visible(o) AND (o:Directory OR o:File) AND o.unowned IS NOT NULL
  RETURN o, null AS s, null AS r, [] AS links, [] AS others, null AS n, null AS last_at, null AS score, 'unowned' AS rel
  UNION ALL
  UNWIND $teams AS key
  MATCH (s:Entity:Team {key: key}) WHERE visible(s)
  WITH s
  MATCH (o:Person)-[r:ON_CALL_FOR|TECH_LEAD_OF|MEMBER_OF]->(s)
  WHERE current(r) AND visible(o) AND visible(s)
  RETURN o, s, r, [r] AS links, [] AS others, null AS n, null AS last_at, null AS score, type(r) AS rel
  UNION ALL
  WITH xs
  UNWIND xs AS x
  MATCH (o:Person)-[did:AUTHORED]->(x)
  WHERE visible(x) AND visible(o) AND current(did) AND coalesce(o.bot, false) = false
    AND (x:Commit OR coalesce(x.merged_at, 9999999999) <= $as_of)
  OPTIONAL MATCH (whole:PullRequest)-[i:INCLUDES]->(x) WHERE visible(whole)
  WITH o, x, coalesce(x.merged_at, x.at) AS at, count(whole) AS wholes, collect(did)[0] AS did WHERE wholes = 0
  WITH o, x, did, at ORDER BY at DESC, x.key
  RETURN o, null AS s, null AS r, collect(did)[..2] AS links, collect(x)[..2] AS others,
    toInteger(sum(CASE WHEN at > $as_of - 31536000 THEN 1 ELSE 0 END)) AS n, max(at) AS last_at,
    sum(exp(-0.693147 * ($as_of - at) / 7776000.0)) AS score, 'changed' AS rel
  UNION ALL
  WITH xs
  UNWIND xs AS x
  MATCH (o:Person)-[did:REVIEWED]->(x:PullRequest)
  WHERE visible(x) AND visible(o) AND current(did) AND coalesce(o.bot, false) = false AND coalesce(x.author, '') <> coalesce(o.login, '-')
  WITH o, x, max(coalesce(did.at, x.at)) AS at, collect(did)[0] AS did
  WITH o, x, did, at ORDER BY at DESC, x.key
  RETURN o, null AS s, null AS r, collect(did)[..2] AS links, collect(x)[..2] AS others,
    toInteger(sum(CASE WHEN at > $as_of - 31536000 THEN 1 ELSE 0 END)) AS n, max(at) AS last_at,
    sum(exp(-0.693147 * ($as_of - at) / 7776000.0)) AS score, 'reviewed' AS rel
  UNION ALL
  WITH y
  MATCH (t:Ticket)-[a:ABOUT]->(y) WHERE visible(t) AND current(a) AND visible(y)
  WITH t, a, y AS s
  MATCH (t)-[h:HANDLED_BY]->(o:Person) WHERE current(h) AND visible(t) AND visible(o) AND coalesce(o.bot, false) = false
  WITH o, s, t, max(CASE WHEN h.recorded_at > 0 THEN h.recorded_at ELSE coalesce(t.closed_at, t.at, 0) END) AS at, collect(h)[0] AS h, collect(a)[0] AS a
  WITH o, s, t, h, a, at ORDER BY at DESC, t.key
  RETURN o, s, null AS r, collect(h)[..2] + collect(a)[..2] AS links, collect(t)[..2] AS others,
    toInteger(sum(CASE WHEN at > $as_of - 31536000 THEN 1 ELSE 0 END)) AS n, max(at) AS last_at,
    sum(exp(-0.693147 * ($as_of - at) / 7776000.0)) AS score, 'handled' AS rel
}
WITH y, o, s, r, links, others, n, last_at, score, rel
OPTIONAL MATCH (e:Evidence {id: r.evidence[0]}) WHERE visible(e)
WITH y, o, s, r, links, others, n, last_at, score, rel, e
OPTIONAL MATCH (d:Entity {key: r.access_key}) WHERE visible(d) AND NOT d:Chunk
WITH y, o, s, r, links, others, n, last_at, score, rel, e, d
OPTIONAL MATCH (o)-[w:KNOWS]->(y) WHERE current(w) AND counted(w) AND visible(o) AND visible(y) AND r IS NULL
WITH o, s, r, links, others, n, last_at, score, rel, e, d, w, y
OPTIONAL MATCH (o)-[m:MEMBER_OF]->(g:Team) WHERE current(m) AND visible(g) AND o:Person
WITH o, s, r, links, others, n, last_at, score, rel, e, d, w, y, collect(DISTINCT g.key) AS teams
OPTIONAL MATCH (b:Entity)-[m:MEMBER_OF]->(o) WHERE current(m) AND visible(b) AND o:Team AND coalesce(b.departed_at, 9999999999) > $as_of
WITH o, s, r, links, others, n, last_at, score, rel, e, d, w, y, teams, count(DISTINCT b) AS persons
OPTIONAL MATCH (b:Team)-[m:PART_OF]->(o) WHERE current(m) AND visible(b) AND o:Team
WITH o, s, r, links, others, n, last_at, score, rel, e, d, w, y, teams, persons, count(DISTINCT b) AS groups
RETURN rel, o.key AS key, o.name AS name, [l IN labels(o) WHERE l <> 'Entity'][0] AS label, s.key AS on_key, s.name AS on_name,
  split(coalesce(r.rule, ''), ':')[0] AS connector, d.kind AS kind, r.authority AS authority, r.rank AS rank, r.valid_from AS valid_from,
  r.valid_to AS valid_to, r.recorded_at AS recorded_at, coalesce(e.source, r.access_key) AS from_key, e.line AS line, e.quote AS quote,
  o.departed_at AS departed_at, coalesce(o.unknown, false) AS unknown, o.contact AS contact, o.login AS login, n, last_at, score, teams, persons + groups AS members, r.aid AS aid,
  o, s, links, others, w, y
ORDER BY rel, on_key, n DESC, last_at DESC, key, aid LIMIT 2000
