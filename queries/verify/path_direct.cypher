// kind: internal
// params: starts: list[str], end: str, skip: list[str] = []
// example: {starts: ["person:ncarrowby"], end: "pr:merefold/gatekeeper#1"}
// returns: path (keys from one end to the other), rels
// A relationship between one of several entities and another, of any type but those to skip.
MATCH (a:Entity) WHERE a.key IN $starts AND visible(a) AND NOT a:Chunk
MATCH (b:Entity {key: $end}) WHERE visible(b) AND NOT b:Chunk AND a.key <> b.key
WITH a, b
MATCH (a)-[r]-(b)
WHERE current(r) AND NOT type(r) IN $skip AND counted(r)
RETURN [a.key, b.key] AS path, [type(r)] AS rels, a, r, b
ORDER BY path, rels, r.id LIMIT 1
