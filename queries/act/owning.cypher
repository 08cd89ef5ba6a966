// kind: internal
// params: key: str
// example: {key: "ticket:OPS-187"}
// returns: key, name, of
// Who owns now what a ticket, issue or incident is about, changes, or lies in: the teams, and people, whose word it takes.
MATCH (t:Entity {key: $key})-[a:ABOUT|MODIFIES|IN_REPO]->(y:Entity) WHERE visible(t) AND visible(y) AND current(a) AND NOT t:Chunk AND NOT y:Chunk
MATCH (w:Entity)-[o:OWNS]->(y) WHERE visible(w) AND visible(y) AND current(o) AND NOT w:Chunk
RETURN DISTINCT w.key AS key, w.name AS name, y.key AS of
ORDER BY key, of LIMIT 200
