// kind: internal
// params: begins: list[str]
// returns: key
// One entity whose key begins with each of these, which tells whether ids of that kind are given out at all.
UNWIND $begins AS b
MATCH (n:Entity) WHERE n.key >= b AND n.key < b + 'z' AND visible(n) AND NOT n:Chunk
WITH b, n ORDER BY n.key
WITH b, collect(n.key)[0] AS key
RETURN key ORDER BY key LIMIT 50
