// kind: fragment
// takes: p, y, hops, direction
// params: k: int = 100
// Everything reached, each once by its shortest way, with its tier and who owns it now.
WITH y, direction, min(hops) AS least, collect([hops, length(p), p]) AS ways
ORDER BY direction DESC, least, y.key
WITH collect([y, direction, least, ways])[..$k] AS best
UNWIND best AS hit
WITH hit[0] AS y, hit[1] AS direction, hit[2] AS hops, hit[3] AS ways
UNWIND [w IN ways WHERE w[0] = hops] AS way
WITH y, direction, hops, way[2] AS p, way[1] AS length, [n IN nodes(way[2]) | n.key] AS path,
  [e IN relationships(way[2]) | type(e) + coalesce(e.aid, '')] AS links
ORDER BY length, path, links
WITH y, direction, hops, collect(p)[0] AS p
OPTIONAL MATCH (o)-[w:OWNS]->(y) WHERE current(w) AND visible(o) AND visible(y)
WITH y, direction, p, hops, o, w ORDER BY o:Person, o.key, w.aid
WITH y, direction, p, hops, collect([o.key, o.name]) AS owners
RETURN y.key AS key, y.name AS name, [l IN labels(y) WHERE l <> 'Entity'][0] AS label, hops, direction, [n IN nodes(p) | n.key] AS path,
  [e IN relationships(p) | type(e)] AS rels, y.tier AS tier, owners[0][0] AS owner, owners[0][1] AS owner_name, y, p
ORDER BY direction DESC, hops, key LIMIT $k
