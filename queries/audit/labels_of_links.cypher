// kind: audit
// params: after: int = -1, k: int = 10000
// returns: n (its number), src, rel, dst, aid, basis, id, access, aud
// Every relationship that is a claim, was derived or carries an access label, with what decides who may read it, a page at a time.
MATCH (a:Entity)-[r]->(b:Entity) WHERE id(r) > $after AND (r.aid IS NOT NULL OR r.basis IS NOT NULL OR r.access IS NOT NULL)
RETURN id(r) AS n, a.key AS src, type(r) AS rel, b.key AS dst, r.aid AS aid, r.basis AS basis, r.id AS id, r.access AS access, r.aud AS aud
ORDER BY n LIMIT $k
