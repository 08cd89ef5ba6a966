// kind: internal
// params: keys: list[str]
// returns: n: node
// The entities with these keys that the viewer may see.
UNWIND $keys AS k
MATCH (n:Entity {key: k}) WHERE visible(n) AND NOT n:Chunk
RETURN n, n.key AS key, n.name AS name, labels(n) AS labels
ORDER BY key LIMIT 500
