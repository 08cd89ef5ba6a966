// kind: internal
// params: a: str, b: str, rels: list[str], k: int = 3
// example: {a: "person:ncarrowby", b: "pr:merefold/gatekeeper#1", rels: ["AUTHORED"]}
// returns: path (keys from one end to the other), hops, rels
// How two entities hang together directly.
MATCH (a:Entity {key: $a}) WHERE visible(a) AND NOT a:Chunk
MATCH (b:Entity {key: $b}) WHERE visible(b) AND NOT b:Chunk AND a.key <> b.key
WITH a, b
MATCH (a)-[r1]-(b) WHERE current(r1) AND type(r1) IN $rels AND counted(r1)
WITH a, b, r1 ORDER BY type(r1), r1.id
RETURN [a.key, b.key] AS path, 1 AS hops, [type(r1)] AS rels, a, b, r1
ORDER BY rels, r1.id LIMIT $k
