// params: key: str, per: int = 8
// example: {key: "repo:merefold/gatekeeper"}
// returns: rel, direction (out or in), total of that relation, and up to `per` rows of each: key, name, label, at, state,
// returns: and for claims authority, valid_from, valid_to, scope, what
// One entity by its key with its direct facts: every relation it has, how many, and the newest of each. An entity without
// any relation gives one row whose rel is null.
MATCH (x:Entity {key: $key}) WHERE visible(x) AND NOT x:Chunk
CALL {
  WITH x
  MATCH (x)-[r]->(o:Entity)
  WHERE visible(o) AND current(r) AND NOT o:Chunk AND NOT type(r) IN ['VISIBLE_TO', 'HAS_ROLE', 'IN_CHANNEL']
    AND counted(r)
  RETURN r, o, 'out' AS direction
  UNION ALL
  WITH x
  MATCH (o:Entity)-[r]->(x)
  WHERE visible(o) AND current(r) AND NOT o:Chunk AND NOT type(r) IN ['VISIBLE_TO', 'HAS_ROLE', 'IN_CHANNEL']
    AND counted(r)
  RETURN r, o, 'in' AS direction
  UNION ALL
  RETURN null AS r, null AS o, null AS direction
}
WITH x, r, o, type(r) AS rel, direction, coalesce(r.at, o.at, 0) AS at ORDER BY at DESC, o.key, r.id
WITH x, rel, direction, count(r) AS total, collect([r, o])[..$per] AS some
WITH x, collect([rel, direction, total, some]) AS kinds
UNWIND [k IN kinds WHERE size(kinds) = 1 OR k[0] IS NOT NULL] AS kind
WITH x, kind[0] AS rel, kind[1] AS direction, kind[2] AS total, kind[3] AS some
UNWIND some AS pair
WITH x, rel, direction, total, pair[0] AS r, pair[1] AS o
RETURN rel, direction, total, o.key AS key, o.name AS name, [l IN labels(o) WHERE l <> 'Entity'][0] AS label,
  coalesce(r.at, o.at) AS at, CASE WHEN r.aid IS NULL THEN coalesce(r.state, o.state) ELSE o.state END AS state, r.authority AS authority,
  r.valid_from AS valid_from, r.valid_to AS valid_to, r.scope AS scope, r.what AS what, x, o, r
ORDER BY rel, direction, at DESC, key, r.id LIMIT 1000
