// kind: internal
// params: key: str
// example: {key: "ticket:OPS-187"}
// returns: key, name, label, rel
// What a ticket, issue or incident is about, changes, or lies in: the things whose owners have to do with it.
MATCH (t:Entity {key: $key})-[a:ABOUT|MODIFIES|IN_REPO]->(y:Entity) WHERE visible(t) AND visible(y) AND current(a) AND NOT t:Chunk AND NOT y:Chunk
WITH t, y, a ORDER BY type(a), y.key
WITH t, y, collect(a)[0] AS a
RETURN y.key AS key, y.name AS name, [l IN labels(y) WHERE l <> 'Entity'][0] AS label, type(a) AS rel, t, a, y
ORDER BY rel, key LIMIT 20
