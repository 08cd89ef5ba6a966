// kind: fragment
// takes: p, y, hops, direction
// What is reached after how many steps, each at its first, breadth first.
WITH y, p, hops, [n IN nodes(p) | n.key] AS path, [e IN relationships(p) | type(e) + coalesce(e.aid, '')] AS links
ORDER BY hops, size(path), path, links
WITH y, collect(p)[0] AS p, min(hops) AS hops ORDER BY hops, y.key
RETURN hops, collect(y.key) AS keys, collect(y.name) AS names, collect(y) AS found, collect(p) AS paths
ORDER BY hops LIMIT 100
