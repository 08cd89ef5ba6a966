// kind: audit
// params: key: str
// returns: key, name, label, access, aud, at, gone
// What decides who may read one thing: its access label and the groups it is open to, also where it has no label at all.
MATCH (x:Entity {key: $key})
RETURN x.key AS key, x.name AS name, labels(x) AS label, x.access AS access, x.aud AS aud, x.at AS at, x.gone AS gone
ORDER BY key LIMIT 1
