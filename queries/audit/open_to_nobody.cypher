// kind: audit
// returns: n
// How many restricted things are open to no group at all.
MATCH (x:Entity) WHERE x.access = 'restricted' AND size(coalesce(x.aud, [])) = 0 AND NOT x:Chunk
  AND coalesce(x.at, 0) <= $as_of AND coalesce(x.gone, 9999999999) > $as_of
RETURN count(x) AS n
LIMIT 1
