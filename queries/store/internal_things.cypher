// kind: internal
// returns: n
// How many entities are internal: with none, what is derived from the open sources alone is all there is.
MATCH (n:Entity) WHERE n.access = 'internal' AND visible(n)
RETURN count(n) AS n
ORDER BY n LIMIT 1
