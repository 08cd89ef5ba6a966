// kind: internal
// returns: grp, name, label, n
// What each group of the viewer's opens to them beyond what every member may read: how many things of each type.
MATCH (x:Entity) WHERE visible(x) AND NOT x:Chunk AND x.access = 'restricted'
UNWIND x.aud AS grp
WITH grp, x WHERE grp IN $viewer_groups
UNWIND labels(x) AS label
WITH grp, label, count(x) AS n WHERE label <> 'Entity'
OPTIONAL MATCH (g:Entity {key: grp}) WHERE visible(g) AND NOT g:Chunk
RETURN grp, g.name AS name, label, n
ORDER BY grp, label LIMIT 1000
