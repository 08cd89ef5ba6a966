// kind: internal
// params: key: str
// returns: aid, rel, src, src_name, dst, dst_name, access, access_key
// The claims that hold of a thing and that the viewer may read, with the source whose label decides who reads each.
MATCH (x:Entity {key: $key})-[r]-(o:Entity)
WHERE visible(x) AND visible(o) AND NOT o:Chunk AND NOT x:Chunk AND current(r) AND counted(r) AND r.aid IS NOT NULL
WITH DISTINCT r.aid AS aid, type(r) AS rel, startNode(r).key AS src, startNode(r).name AS src_name, endNode(r).key AS dst,
  endNode(r).name AS dst_name, r.access AS access, r.access_key AS access_key
RETURN aid, rel, src, src_name, dst, dst_name, access, access_key
ORDER BY rel, src, dst, aid LIMIT 500
