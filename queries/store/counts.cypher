// kind: internal
// returns: name, n
// How many entities of each label the viewer may see.
MATCH (n:Entity) WHERE visible(n)
UNWIND labels(n) AS name
WITH name, count(n) AS n WHERE name <> 'Entity'
RETURN name, n
ORDER BY name LIMIT 100
