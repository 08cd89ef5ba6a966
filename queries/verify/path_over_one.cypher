// kind: internal
// params: starts: list[str], end: str, skip: list[str] = []
// example: {starts: ["person:ncarrowby"], end: "release:merefold/gatekeeper@v2.1.0"}
// returns: path (keys from one end to the other), rels
// Something next to one of several entities and next to another, the newest; over relationships of any type but those to skip.
// Looks around the end that has fewer neighbours.
MATCH (a:Entity) WHERE a.key IN $starts AND visible(a) AND NOT a:Chunk
WITH collect(a) AS starts, sum(indegree(a) + outdegree(a)) AS around
MATCH (b:Entity {key: $end}) WHERE visible(b) AND NOT b:Chunk
WITH starts, b, indegree(b) + outdegree(b) < around AS near_end
WITH starts, b, CASE WHEN near_end THEN [b] ELSE starts END AS few, CASE WHEN near_end THEN starts ELSE [b] END AS many
CALL {
  WITH few
  UNWIND few AS f
  MATCH (f)-[r]->(c:Entity)
  WHERE visible(f) AND visible(c) AND NOT c:Chunk AND current(r) AND NOT type(r) IN $skip AND counted(r)
  RETURN c
  UNION ALL
  WITH few
  UNWIND few AS f
  MATCH (f)<-[r]-(c:Entity)
  WHERE visible(f) AND visible(c) AND NOT c:Chunk AND current(r) AND NOT type(r) IN $skip AND counted(r)
  RETURN c
}
WITH DISTINCT starts, b, many, c
WITH starts, b, many, c WHERE NOT c:Chunk AND c.key <> $end AND NOT c.key IN $starts
UNWIND many AS m
WITH starts, b, m, c
MATCH (m)-[r]-(c)
WHERE visible(m) AND current(r) AND NOT type(r) IN $skip AND counted(r)
WITH DISTINCT starts, b, c
WITH starts, b, c ORDER BY coalesce(c.at, 0) DESC, c.key
WITH starts, b, collect(c)[..1] AS best
UNWIND best AS c
UNWIND starts AS s
WITH s, c, b
MATCH (s)-[r1]-(c)
WHERE visible(s) AND NOT s:Chunk AND current(r1) AND NOT type(r1) IN $skip AND counted(r1)
WITH s, r1, c, b
MATCH (b)-[r2]-(c)
WHERE current(r2) AND NOT type(r2) IN $skip AND counted(r2)
RETURN [s.key, c.key, b.key] AS path, [type(r1), type(r2)] AS rels, s, r1, c, r2, b
ORDER BY path, rels, r1.id, r2.id LIMIT 1
