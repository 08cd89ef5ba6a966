// kind: fragment
// takes: p, y, hops, direction
// params: targets: list[str], k: int = 20
// The lightest way to each target: a dependency that a record or a rule states weighs 1, one that is the practice 1.2, one only
// observed 1.5, and an interface on the way nothing.
WITH y, p, hops WHERE y.key IN $targets
WITH y, hops, p, reduce(w = 0.0, e IN relationships(p) | w + CASE WHEN type(e) = 'PROVIDED_BY' THEN 0.0
  WHEN e.authority IN ['record', 'formal_rule'] THEN 1.0 WHEN e.authority = 'practice' THEN 1.2 ELSE 1.5 END) AS weight
WITH y, hops, p, weight, [n IN nodes(p) | n.key] AS path, [e IN relationships(p) | type(e) + coalesce(e.aid, '')] AS links
ORDER BY y.key, weight, size(path), path, links
WITH y, collect([weight, hops, p])[0] AS best
WITH y, best[0] AS weight, best[1] AS hops, best[2] AS p
RETURN y.key AS key, y.name AS name, weight, hops, [n IN nodes(p) | n.key] AS path, [e IN relationships(p) | type(e)] AS rels, y, p
ORDER BY weight, key LIMIT $k
