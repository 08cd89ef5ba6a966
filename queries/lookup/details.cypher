// params: key: str, per: int = 8
// example: {key: "repo:quicwg/base-drafts"}
// returns: rel, direction (out or in), total of that relation, and up to `per` rows of each: key, name, label, at, state
// One entity by its key with its direct facts: every relation it has, how many, and the newest of each.
MATCH (x:Entity {key: $key}) WHERE visible(x) AND NOT x:Chunk
OPTIONAL MATCH (x)-[r]-(o:Entity)
WHERE visible(o) AND current(r) AND NOT o:Chunk AND NOT type(r) IN ['VISIBLE_TO', 'HAS_ROLE', 'IN_CHANNEL']
  AND (r.derived_by IS NULL OR r.access IN $viewer_access)
WITH x, r, o, type(r) AS rel, CASE WHEN r IS NULL THEN null WHEN startNode(r).key = $key THEN 'out' ELSE 'in' END AS direction
ORDER BY coalesce(r.at, o.at, 0) DESC, o.key, r.id
WITH x, rel, direction, count(r) AS total, collect([r, o])[..$per] AS some
UNWIND some AS pair
WITH x, rel, direction, total, pair[0] AS r, pair[1] AS o
RETURN rel, direction, total, o.key AS key, o.name AS name, [l IN labels(o) WHERE l <> 'Entity'][0] AS label,
  coalesce(r.at, o.at) AS at, coalesce(r.state, o.state) AS state, x, o, r
ORDER BY rel, direction, at DESC, key, r.id LIMIT 1000
