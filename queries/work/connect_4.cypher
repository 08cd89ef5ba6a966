// kind: internal
// params: a: str, b: str, rels: list[str], k: int = 3
// example: {a: "issue:merefold/gatekeeper#2", b: "issue:merefold/gatekeeper#4", rels: ["CLOSES", "AUTHORED"]}
// returns: path (keys from one end to the other), hops, rels
// How two entities hang together over 3 others: what is near both is found from both ends, the newest is taken.
MATCH (a:Entity {key: $a}) WHERE visible(a) AND NOT a:Chunk
MATCH (b:Entity {key: $b}) WHERE visible(b) AND NOT b:Chunk AND a.key <> b.key
WITH a, b
CALL {
  WITH a
  MATCH (a)-[r1]->(m:Entity)
  WHERE visible(m) AND NOT m:Chunk AND current(r1) AND type(r1) IN $rels AND counted(r1)
  WITH DISTINCT m
  MATCH (m)-[r2]->(c:Entity)
  WHERE visible(c) AND NOT c:Chunk AND current(r2) AND type(r2) IN $rels AND counted(r2)
  RETURN DISTINCT c, 1 AS side
  UNION ALL
  WITH a
  MATCH (a)-[r1]->(m:Entity)
  WHERE visible(m) AND NOT m:Chunk AND current(r1) AND type(r1) IN $rels AND counted(r1)
  WITH DISTINCT m
  MATCH (m)<-[r2]-(c:Entity)
  WHERE visible(c) AND NOT c:Chunk AND current(r2) AND type(r2) IN $rels AND counted(r2)
  RETURN DISTINCT c, 1 AS side
  UNION ALL
  WITH a
  MATCH (a)<-[r1]-(m:Entity)
  WHERE visible(m) AND NOT m:Chunk AND current(r1) AND type(r1) IN $rels AND counted(r1)
  WITH DISTINCT m
  MATCH (m)-[r2]->(c:Entity)
  WHERE visible(c) AND NOT c:Chunk AND current(r2) AND type(r2) IN $rels AND counted(r2)
  RETURN DISTINCT c, 1 AS side
  UNION ALL
  WITH a
  MATCH (a)<-[r1]-(m:Entity)
  WHERE visible(m) AND NOT m:Chunk AND current(r1) AND type(r1) IN $rels AND counted(r1)
  WITH DISTINCT m
  MATCH (m)<-[r2]-(c:Entity)
  WHERE visible(c) AND NOT c:Chunk AND current(r2) AND type(r2) IN $rels AND counted(r2)
  RETURN DISTINCT c, 1 AS side
  UNION ALL
  WITH b
  MATCH (b)-[r1]->(m:Entity)
  WHERE visible(m) AND NOT m:Chunk AND current(r1) AND type(r1) IN $rels AND counted(r1)
  WITH DISTINCT m
  MATCH (m)-[r2]->(c:Entity)
  WHERE visible(c) AND NOT c:Chunk AND current(r2) AND type(r2) IN $rels AND counted(r2)
  RETURN DISTINCT c, 2 AS side
  UNION ALL
  WITH b
  MATCH (b)-[r1]->(m:Entity)
  WHERE visible(m) AND NOT m:Chunk AND current(r1) AND type(r1) IN $rels AND counted(r1)
  WITH DISTINCT m
  MATCH (m)<-[r2]-(c:Entity)
  WHERE visible(c) AND NOT c:Chunk AND current(r2) AND type(r2) IN $rels AND counted(r2)
  RETURN DISTINCT c, 2 AS side
  UNION ALL
  WITH b
  MATCH (b)<-[r1]-(m:Entity)
  WHERE visible(m) AND NOT m:Chunk AND current(r1) AND type(r1) IN $rels AND counted(r1)
  WITH DISTINCT m
  MATCH (m)-[r2]->(c:Entity)
  WHERE visible(c) AND NOT c:Chunk AND current(r2) AND type(r2) IN $rels AND counted(r2)
  RETURN DISTINCT c, 2 AS side
  UNION ALL
  WITH b
  MATCH (b)<-[r1]-(m:Entity)
  WHERE visible(m) AND NOT m:Chunk AND current(r1) AND type(r1) IN $rels AND counted(r1)
  WITH DISTINCT m
  MATCH (m)<-[r2]-(c:Entity)
  WHERE visible(c) AND NOT c:Chunk AND current(r2) AND type(r2) IN $rels AND counted(r2)
  RETURN DISTINCT c, 2 AS side
}
WITH a, b, c, count(DISTINCT side) AS sides WHERE sides = 2 AND c.key <> a.key AND c.key <> b.key
WITH a, b, c ORDER BY coalesce(c.at, 0) DESC, c.key
WITH a, b, collect(c)[..$k] AS best
UNWIND best AS c
WITH a, b, c
MATCH (a)-[s1]-(sm:Entity)-[s2]-(c)
WHERE visible(sm) AND NOT sm:Chunk AND current(s1) AND type(s1) IN $rels AND counted(s1) AND current(s2) AND type(s2) IN $rels AND counted(s2)
WITH a, b, c, s1, s2, sm ORDER BY coalesce(sm.at, 0) DESC, sm.key, type(s1), type(s2), s1.id, s2.id
WITH a, b, c, collect([s1, s2, sm])[0] AS one
MATCH (b)-[t1]-(tm:Entity)-[t2]-(c)
WHERE visible(tm) AND NOT tm:Chunk AND current(t1) AND type(t1) IN $rels AND counted(t1) AND current(t2) AND type(t2) IN $rels AND counted(t2)
WITH a, b, c, one, t1, t2, tm ORDER BY coalesce(tm.at, 0) DESC, tm.key, type(t1), type(t2), t1.id, t2.id
WITH a, b, c, one, collect([t1, t2, tm])[0] AS other
WITH a, b, c, [a, one[2], c, other[2], b] AS steps, [one[0], one[1], other[1], other[0]] AS links
RETURN [n IN steps | n.key] AS path, 4 AS hops, [r IN links | type(r)] AS rels, steps, links
ORDER BY coalesce(c.at, 0) DESC, path LIMIT $k
