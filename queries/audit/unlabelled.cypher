// kind: audit
// params: k: int = 200
// returns: key, name, label, source
// Things that carry no access label, which nobody can read, by key; not those that wait for a person's decision to get theirs.
MATCH (x:Entity) WHERE x.access IS NULL AND x.waits IS NULL AND NOT x:Chunk AND coalesce(x.at, 0) <= $as_of AND coalesce(x.gone, 9999999999) > $as_of
RETURN x.key AS key, x.name AS name, labels(x) AS label, x.source AS source
ORDER BY key LIMIT $k
