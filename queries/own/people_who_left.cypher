// kind: internal
// params: k: int = 2000
// returns: key, name, departed_at
// Everybody who has left altogether, the latest first.
MATCH (o:Person) WHERE visible(o) AND o.departed_at <= $as_of
RETURN o.key AS key, o.name AS name, o.departed_at AS departed_at, o
ORDER BY departed_at DESC, key LIMIT $k
