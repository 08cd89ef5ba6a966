// kind: internal
// returns: key, name, label, rel, about, about_name, since, source, line, quote
// What somebody who has left still answers for, leads, is paged for or keeps up to date, by what is said of it.
CALL {
  MATCH (p:Person)-[r:OWNS|TECH_LEAD_OF|ON_CALL_FOR]->(x:Entity)
  WHERE coalesce(p.departed_at, 9999999999) <= $as_of AND current(r) AND visible(p) AND visible(x) AND NOT x:Chunk
  RETURN x, r, p
  UNION ALL
  MATCH (x:Entity)-[r:MAINTAINED_BY]->(p:Person)
  WHERE coalesce(p.departed_at, 9999999999) <= $as_of AND current(r) AND visible(p) AND visible(x) AND NOT x:Chunk
  RETURN x, r, p
}
WITH x, r, p
OPTIONAL MATCH (e:Evidence {id: r.evidence[0]}) WHERE visible(e)
RETURN x.key AS key, x.name AS name, [l IN labels(x) WHERE l <> 'Entity'][0] AS label, type(r) AS rel, p.key AS about, p.name AS about_name,
  p.departed_at AS since, e.source AS source, e.line AS line, e.quote AS quote
ORDER BY key, rel, about LIMIT 5000
