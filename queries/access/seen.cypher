// kind: internal
// returns: label, access, n
// How many things of each type and access label the viewer may read.
MATCH (x:Entity) WHERE visible(x)
UNWIND labels(x) AS label
WITH label, x.access AS access, count(x) AS n WHERE label <> 'Entity'
RETURN label, access, n
ORDER BY label, access LIMIT 500
