// kind: internal
// params: lasting: list[str] = []
// returns: key, name, label, about, about_name, how (left or moved), since, place (the team or role since), line
// Documents that people act by which name somebody who has left, or who came to another team or role after the document was
// last looked at.
CALL {
  MATCH (d:Doc)-[m:MENTIONS]->(p:Person)
  WHERE visible(d) AND visible(p) AND current(m) AND NOT coalesce(d.kind, '') IN $lasting AND coalesce(p.departed_at, 9999999999) <= $as_of
  RETURN d, m, p, 'left' AS how, p.departed_at AS since, '' AS place
  UNION ALL
  MATCH (d:Doc)-[m:MENTIONS]->(p:Person)-[t:MEMBER_OF|HOLDS_ROLE]->(o:Entity)
  WHERE visible(d) AND visible(p) AND visible(o) AND NOT o:Chunk AND current(m) AND current(t) AND NOT coalesce(d.kind, '') IN $lasting
    AND coalesce(p.departed_at, 9999999999) > $as_of
    AND coalesce(d.reviewed_at, d.updated_at, 0) > 0 AND t.valid_from > coalesce(d.reviewed_at, d.updated_at)
  RETURN d, m, p, 'moved' AS how, t.valid_from AS since, o.name AS place
}
WITH d, p, m, how, since, place ORDER BY since, place
WITH d, p, how, collect(m)[0] AS m, collect(since)[0] AS since, collect(place)[0] AS place
RETURN d.key AS key, d.name AS name, 'Doc' AS label, p.key AS about, p.name AS about_name, how, since, place, m.line AS line
ORDER BY key, about, how LIMIT 5000
