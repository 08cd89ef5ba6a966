// kind: fragment
// takes: p, y, hops, direction
// params: k: int = 100
// Everything reached, each once by its shortest way, with its tier and who owns it now.
WITH y, direction, p, hops, [n IN nodes(p) | n.key] AS path
ORDER BY hops, size(path), path
WITH y, direction, collect(p)[0] AS p, min(hops) AS hops
OPTIONAL MATCH (o)-[w:OWNS]->(y) WHERE current(w) AND visible(o)
WITH y, direction, p, hops, o, w ORDER BY o:Person, o.key, w.aid
WITH y, direction, p, hops, collect([o.key, o.name]) AS owners
RETURN y.key AS key, y.name AS name, [l IN labels(y) WHERE l <> 'Entity'][0] AS label, hops, direction, [n IN nodes(p) | n.key] AS path,
  [e IN relationships(p) | type(e)] AS rels, y.tier AS tier, owners[0][0] AS owner, owners[0][1] AS owner_name, y, p
ORDER BY direction DESC, hops, key LIMIT $k
