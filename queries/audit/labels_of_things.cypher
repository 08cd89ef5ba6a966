// kind: audit
// params: after: str = "", k: int = 10000
// returns: key, access, aud
// The access label of everything and whom it is open to, labelled or not, a page at a time.
MATCH (x:Entity) WHERE x.key > $after
RETURN x.key AS key, x.access AS access, x.aud AS aud
ORDER BY key LIMIT $k
