// params: a: str, b: str, max_hops: int = 4, k: int = 3
// example: {a: "person:neil", b: "release:merefold/gatekeeper@v2.1.0"}
// returns: path (keys from one end to the other), hops, rels
// The shortest ways between two entities over work (who wrote, reviewed, merged, closed, shipped, touched, mentioned what),
// at most four hops, never through a repository or another hub; the ways of the newest things first.
MATCH (a:Entity {key: $a}) WHERE visible(a) AND NOT a:Chunk
MATCH (b:Entity {key: $b}) WHERE visible(b) AND NOT b:Chunk AND a.key <> b.key
WITH a, b
MATCH p = allShortestPaths((a)-[r:AUTHORED|OPENED|REVIEWED|MERGED|COMMENTED_ON|TOUCHED|CLOSES|REFERENCES|SHIPPED_IN|MENTIONS|INCLUDES*1..4]-(b))
WHERE visible(startNode(r)) AND visible(endNode(r)) AND current(r)
WITH p, length(p) AS hops, [n IN nodes(p) | n.key] AS path, [n IN nodes(p) | coalesce(n.at, 0)] AS times
WHERE hops <= $max_hops
RETURN p AS path, hops, [r IN relationships(p) | type(r)] AS rels
ORDER BY hops, times[1] DESC, times[2] DESC, path LIMIT $k
