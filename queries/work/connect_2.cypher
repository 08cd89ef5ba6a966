// kind: internal
// params: a: str, b: str, rels: list[str], k: int = 3
// example: {a: "person:ncarrowby", b: "release:merefold/gatekeeper@v2.1.0", rels: ["AUTHORED", "SHIPPED_IN"]}
// returns: path (keys from one end to the other), hops, rels
// How two entities hang together over 1 other: what is near both is found from both ends, the newest is taken.
MATCH (a:Entity {key: $a}) WHERE visible(a) AND NOT a:Chunk
MATCH (b:Entity {key: $b}) WHERE visible(b) AND NOT b:Chunk AND a.key <> b.key
WITH a, b
CALL {
  WITH a
  MATCH (a)-[r1]->(c:Entity)
  WHERE visible(c) AND NOT c:Chunk AND current(r1) AND type(r1) IN $rels AND counted(r1)
  RETURN DISTINCT c, 1 AS side
  UNION ALL
  WITH a
  MATCH (a)<-[r1]-(c:Entity)
  WHERE visible(c) AND NOT c:Chunk AND current(r1) AND type(r1) IN $rels AND counted(r1)
  RETURN DISTINCT c, 1 AS side
  UNION ALL
  WITH b
  MATCH (b)-[r1]->(c:Entity)
  WHERE visible(c) AND NOT c:Chunk AND current(r1) AND type(r1) IN $rels AND counted(r1)
  RETURN DISTINCT c, 2 AS side
  UNION ALL
  WITH b
  MATCH (b)<-[r1]-(c:Entity)
  WHERE visible(c) AND NOT c:Chunk AND current(r1) AND type(r1) IN $rels AND counted(r1)
  RETURN DISTINCT c, 2 AS side
}
WITH a, b, c, count(DISTINCT side) AS sides WHERE sides = 2 AND c.key <> a.key AND c.key <> b.key
WITH a, b, c ORDER BY coalesce(c.at, 0) DESC, c.key
WITH a, b, collect(c)[..$k] AS best
UNWIND best AS c
WITH a, b, c
MATCH (a)-[s1]-(c) WHERE current(s1) AND type(s1) IN $rels AND counted(s1)
WITH a, b, c, s1 ORDER BY type(s1), s1.id
WITH a, b, c, collect([s1])[0] AS one
MATCH (b)-[t1]-(c) WHERE current(t1) AND type(t1) IN $rels AND counted(t1)
WITH a, b, c, one, t1 ORDER BY type(t1), t1.id
WITH a, b, c, one, collect([t1])[0] AS other
WITH a, b, c, [a, c, b] AS steps, [one[0], other[0]] AS links
RETURN [n IN steps | n.key] AS path, 2 AS hops, [r IN links | type(r)] AS rels, steps, links
ORDER BY coalesce(c.at, 0) DESC, path LIMIT $k
