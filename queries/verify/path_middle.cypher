// kind: internal
// params: starts: list[str], end: str, skip: list[str] = [], wide: int = 60
// example: {starts: ["person:ekoh"], end: "pr:merefold/gatekeeper#1"}
// returns: key, near (steps from the starts), far (steps from the end)
// Where a way of three or four steps from one of several entities to another passes its middle. The steps in between lead over
// the newest `wide` changes, issues and the like next to either end, in either direction; what nearly everything hangs on (a
// person, a file, a concept, a release) may only be the middle.
MATCH (a:Entity) WHERE a.key IN $starts AND visible(a) AND NOT a:Chunk
WITH collect(a) AS starts
MATCH (b:Entity {key: $end}) WHERE visible(b) AND NOT b:Chunk
WITH starts, [b] AS ends
CALL {
  WITH starts
  UNWIND starts AS e
  MATCH (e)-[r]->(c:Entity)
  WHERE visible(e) AND visible(c) AND NOT c:Chunk AND current(r) AND NOT type(r) IN $skip AND counted(r)
  RETURN DISTINCT c, 1 AS side, 1 AS depth
  UNION ALL
  WITH starts
  UNWIND starts AS e
  MATCH (e)<-[r]-(c:Entity)
  WHERE visible(e) AND visible(c) AND NOT c:Chunk AND current(r) AND NOT type(r) IN $skip AND counted(r)
  RETURN DISTINCT c, 1 AS side, 1 AS depth
  UNION ALL
  WITH ends
  UNWIND ends AS e
  MATCH (e)-[r]->(c:Entity)
  WHERE visible(e) AND visible(c) AND NOT c:Chunk AND current(r) AND NOT type(r) IN $skip AND counted(r)
  RETURN DISTINCT c, 2 AS side, 1 AS depth
  UNION ALL
  WITH ends
  UNWIND ends AS e
  MATCH (e)<-[r]-(c:Entity)
  WHERE visible(e) AND visible(c) AND NOT c:Chunk AND current(r) AND NOT type(r) IN $skip AND counted(r)
  RETURN DISTINCT c, 2 AS side, 1 AS depth
  UNION ALL
  WITH starts
  UNWIND starts AS e
  MATCH (e)-[r]->(m:Entity)
  WHERE NOT (m:Person OR m:File OR m:Concept OR m:Release OR m:Repo)
    AND visible(e) AND visible(m) AND NOT m:Chunk AND current(r) AND NOT type(r) IN $skip AND counted(r)
  WITH DISTINCT m
  WITH m ORDER BY coalesce(m.at, 0) DESC, m.key
  WITH collect(m)[..$wide] AS some
  UNWIND some AS m
  MATCH (m)-[q]->(c:Entity)
  WHERE visible(m) AND visible(c) AND NOT c:Chunk AND current(q) AND NOT type(q) IN $skip AND counted(q)
  RETURN DISTINCT c, 1 AS side, 2 AS depth
  UNION ALL
  WITH starts
  UNWIND starts AS e
  MATCH (e)-[r]->(m:Entity)
  WHERE NOT (m:Person OR m:File OR m:Concept OR m:Release OR m:Repo)
    AND visible(e) AND visible(m) AND NOT m:Chunk AND current(r) AND NOT type(r) IN $skip AND counted(r)
  WITH DISTINCT m
  WITH m ORDER BY coalesce(m.at, 0) DESC, m.key
  WITH collect(m)[..$wide] AS some
  UNWIND some AS m
  MATCH (m)<-[q]-(c:Entity)
  WHERE visible(m) AND visible(c) AND NOT c:Chunk AND current(q) AND NOT type(q) IN $skip AND counted(q)
  RETURN DISTINCT c, 1 AS side, 2 AS depth
  UNION ALL
  WITH starts
  UNWIND starts AS e
  MATCH (e)<-[r]-(m:Entity)
  WHERE NOT (m:Person OR m:File OR m:Concept OR m:Release OR m:Repo)
    AND visible(e) AND visible(m) AND NOT m:Chunk AND current(r) AND NOT type(r) IN $skip AND counted(r)
  WITH DISTINCT m
  WITH m ORDER BY coalesce(m.at, 0) DESC, m.key
  WITH collect(m)[..$wide] AS some
  UNWIND some AS m
  MATCH (m)-[q]->(c:Entity)
  WHERE visible(m) AND visible(c) AND NOT c:Chunk AND current(q) AND NOT type(q) IN $skip AND counted(q)
  RETURN DISTINCT c, 1 AS side, 2 AS depth
  UNION ALL
  WITH starts
  UNWIND starts AS e
  MATCH (e)<-[r]-(m:Entity)
  WHERE NOT (m:Person OR m:File OR m:Concept OR m:Release OR m:Repo)
    AND visible(e) AND visible(m) AND NOT m:Chunk AND current(r) AND NOT type(r) IN $skip AND counted(r)
  WITH DISTINCT m
  WITH m ORDER BY coalesce(m.at, 0) DESC, m.key
  WITH collect(m)[..$wide] AS some
  UNWIND some AS m
  MATCH (m)<-[q]-(c:Entity)
  WHERE visible(m) AND visible(c) AND NOT c:Chunk AND current(q) AND NOT type(q) IN $skip AND counted(q)
  RETURN DISTINCT c, 1 AS side, 2 AS depth
  UNION ALL
  WITH ends
  UNWIND ends AS e
  MATCH (e)-[r]->(m:Entity)
  WHERE NOT (m:Person OR m:File OR m:Concept OR m:Release OR m:Repo)
    AND visible(e) AND visible(m) AND NOT m:Chunk AND current(r) AND NOT type(r) IN $skip AND counted(r)
  WITH DISTINCT m
  WITH m ORDER BY coalesce(m.at, 0) DESC, m.key
  WITH collect(m)[..$wide] AS some
  UNWIND some AS m
  MATCH (m)-[q]->(c:Entity)
  WHERE visible(m) AND visible(c) AND NOT c:Chunk AND current(q) AND NOT type(q) IN $skip AND counted(q)
  RETURN DISTINCT c, 2 AS side, 2 AS depth
  UNION ALL
  WITH ends
  UNWIND ends AS e
  MATCH (e)-[r]->(m:Entity)
  WHERE NOT (m:Person OR m:File OR m:Concept OR m:Release OR m:Repo)
    AND visible(e) AND visible(m) AND NOT m:Chunk AND current(r) AND NOT type(r) IN $skip AND counted(r)
  WITH DISTINCT m
  WITH m ORDER BY coalesce(m.at, 0) DESC, m.key
  WITH collect(m)[..$wide] AS some
  UNWIND some AS m
  MATCH (m)<-[q]-(c:Entity)
  WHERE visible(m) AND visible(c) AND NOT c:Chunk AND current(q) AND NOT type(q) IN $skip AND counted(q)
  RETURN DISTINCT c, 2 AS side, 2 AS depth
  UNION ALL
  WITH ends
  UNWIND ends AS e
  MATCH (e)<-[r]-(m:Entity)
  WHERE NOT (m:Person OR m:File OR m:Concept OR m:Release OR m:Repo)
    AND visible(e) AND visible(m) AND NOT m:Chunk AND current(r) AND NOT type(r) IN $skip AND counted(r)
  WITH DISTINCT m
  WITH m ORDER BY coalesce(m.at, 0) DESC, m.key
  WITH collect(m)[..$wide] AS some
  UNWIND some AS m
  MATCH (m)-[q]->(c:Entity)
  WHERE visible(m) AND visible(c) AND NOT c:Chunk AND current(q) AND NOT type(q) IN $skip AND counted(q)
  RETURN DISTINCT c, 2 AS side, 2 AS depth
  UNION ALL
  WITH ends
  UNWIND ends AS e
  MATCH (e)<-[r]-(m:Entity)
  WHERE NOT (m:Person OR m:File OR m:Concept OR m:Release OR m:Repo)
    AND visible(e) AND visible(m) AND NOT m:Chunk AND current(r) AND NOT type(r) IN $skip AND counted(r)
  WITH DISTINCT m
  WITH m ORDER BY coalesce(m.at, 0) DESC, m.key
  WITH collect(m)[..$wide] AS some
  UNWIND some AS m
  MATCH (m)<-[q]-(c:Entity)
  WHERE visible(m) AND visible(c) AND NOT c:Chunk AND current(q) AND NOT type(q) IN $skip AND counted(q)
  RETURN DISTINCT c, 2 AS side, 2 AS depth
}
WITH c, min(CASE WHEN side = 1 THEN depth END) AS near, min(CASE WHEN side = 2 THEN depth END) AS far
WHERE near IS NOT NULL AND far IS NOT NULL AND near + far > 2 AND c.key <> $end AND NOT c.key IN $starts
RETURN c.key AS key, near, far
ORDER BY near + far, coalesce(c.at, 0) DESC, key LIMIT 3
