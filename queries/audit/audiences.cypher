// kind: audit
// returns: grp, name, known, n
// Every group that something is open to, how much is, and whether any source but the label itself knows the group.
MATCH (x:Entity) WHERE x.aud IS NOT NULL AND NOT x:Chunk AND coalesce(x.at, 0) <= $as_of AND coalesce(x.gone, 9999999999) > $as_of
UNWIND x.aud AS grp
WITH grp, count(x) AS n
OPTIONAL MATCH (g:Entity {key: grp})
RETURN grp, g.name AS name, g IS NOT NULL AND NOT coalesce(g.unknown, false) AS known, n
ORDER BY grp LIMIT 5000
