// kind: audit
// params: k: int = 200
// returns: key, name, label, access, aud, source
// Things that are open to some groups alone, or to nobody, by key.
MATCH (x:Entity) WHERE x.access = 'restricted' AND NOT x:Chunk AND coalesce(x.at, 0) <= $as_of AND coalesce(x.gone, 9999999999) > $as_of
RETURN x.key AS key, x.name AS name, labels(x) AS label, x.access AS access, x.aud AS aud, x.source AS source
ORDER BY key LIMIT $k
