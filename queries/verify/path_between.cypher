// kind: internal
// params: starts: list[str], end: str
// returns: path: keys, rels
// A shortest way of at most four hops from one of several entities to another, over work, hubs left out.
MATCH (a:Entity) WHERE a.key IN $starts AND visible(a)
MATCH (b:Entity {key: $end}) WHERE visible(b) AND a.key <> b.key
WITH a, b
MATCH p = allShortestPaths((a)-[r:AUTHORED|OPENED|REVIEWED|MERGED|COMMENTED_ON|TOUCHED|IN_DIR|CLOSES|REFERENCES|SHIPPED_IN|MENTIONS|INCLUDES|KNOWS|REVIEWS_FOR|CO_CHANGES|CONTRIBUTES_TO|HAS_CONTRIBUTOR*1..4]-(b))
WHERE visible(startNode(r)) AND visible(endNode(r)) AND current(r)
  AND (r.derived_by IS NULL OR r.access IN $viewer_access)
RETURN p, length(p) AS hops
ORDER BY hops, a.key LIMIT 1
