// kind: fragment
// params: starts: list[str], within: int
// Ways to what needs one of the starts, directly or through others; an interface is no step between a service and who uses it.
// `p` is the way, `y` its end.
MATCH (x:Entity) WHERE x.key IN $starts AND visible(x) AND NOT x:Chunk
WITH x
MATCH p = (x)<-[r:DEPENDS_ON|USES|PROVIDED_BY*1..6]-(y)
WHERE visible(startNode(r)) AND visible(endNode(r)) AND current(r) AND counted(r)
  AND visible(y) AND NOT y:Chunk AND NOT y.key IN $starts
WITH p, y, size([e IN relationships(p) WHERE type(e) <> 'PROVIDED_BY']) AS hops, 'dependents' AS direction
WITH p, y, direction, CASE WHEN hops = 0 AND length(p) > 0 THEN 1 ELSE hops END AS hops WHERE hops <= $within
