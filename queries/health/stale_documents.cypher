// kind: internal
// params: months: int = 12, settled: int = 3, lasting: list[str] = []
// returns: key, name, label, about, about_name, since, n
// Documents that people act by and nobody has looked at for so many months, or for `settled` months while what they are
// about was deployed or altered; kinds in `lasting` record something once and do not age.
MATCH (d:Doc) WHERE visible(d) AND coalesce(d.reviewed_at, d.updated_at, 0) > 0 AND NOT coalesce(d.kind, '') IN $lasting
WITH d, coalesce(d.reviewed_at, d.updated_at) AS since
WHERE since < $as_of - $settled * 2629746
OPTIONAL MATCH (d)-[a:ABOUT]->(s:Service)<-[t:DEPLOYED_TO|MODIFIES]-(x:Entity)
WHERE current(a) AND current(t) AND visible(s) AND visible(x) AND NOT x:Chunk AND coalesce(t.at, x.at, 0) > since
WITH d, since, s, count(t) AS changes ORDER BY changes DESC, s.key
WITH d, since, collect(s)[0] AS s, sum(changes) AS n
WHERE n > 0 OR since < $as_of - $months * 2629746
RETURN d.key AS key, d.name AS name, 'Doc' AS label, s.key AS about, s.name AS about_name, since, n
ORDER BY since, key LIMIT 5000
