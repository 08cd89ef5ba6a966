// params: key: str, rels: list[str] = [], direction: both|out|in = both, labels: list[str] = []
// params: states: list[str] = [], since: int = 0, until: int? = null, k: int = 50
// example: {key: "repo:merefold/gatekeeper"}
// returns: rel, direction (out or in), key, name, label, at, state (of the review, else of the neighbour), how (of claims what was done), authority, valid_from,
// returns: valid_to, scope, total
// The neighbours of one entity, newest first: over the given relationships (none: all), outwards, inwards or both,
// only with these labels, and for reviews only with these states.
MATCH (x:Entity {key: $key}) WHERE visible(x) AND NOT x:Chunk
CALL {
  WITH x
  MATCH (x)-[r]->(o:Entity)
  WHERE $direction <> 'in' AND visible(o) AND current(r) AND NOT o:Chunk AND NOT type(r) IN ['VISIBLE_TO', 'HAS_ROLE', 'IN_CHANNEL']
    AND counted(r)
    AND (size($rels) = 0 OR type(r) IN $rels)
    AND (size($states) = 0 OR r.state IN $states)
    AND (size($labels) = 0 OR any(l IN labels(o) WHERE l IN $labels))
    AND coalesce(r.at, o.at, 0) >= $since AND coalesce(r.at, o.at, 0) < coalesce($until, 9999999999)
  RETURN r, o, 'out' AS direction
  UNION ALL
  WITH x
  MATCH (o:Entity)-[r]->(x)
  WHERE $direction <> 'out' AND visible(o) AND current(r) AND NOT o:Chunk AND NOT type(r) IN ['VISIBLE_TO', 'HAS_ROLE', 'IN_CHANNEL']
    AND counted(r)
    AND (size($rels) = 0 OR type(r) IN $rels)
    AND (size($states) = 0 OR r.state IN $states)
    AND (size($labels) = 0 OR any(l IN labels(o) WHERE l IN $labels))
    AND coalesce(r.at, o.at, 0) >= $since AND coalesce(r.at, o.at, 0) < coalesce($until, 9999999999)
  RETURN r, o, 'in' AS direction
}
WITH x, r, o, direction, coalesce(r.at, o.at, 0) AS at ORDER BY at DESC, o.key, type(r), r.id
WITH x, collect([r, o, direction]) AS found
WITH x, found[..$k] AS some, size(found) AS total
UNWIND some AS hit
WITH x, total, hit[0] AS r, hit[1] AS o, hit[2] AS direction
RETURN type(r) AS rel, direction, o.key AS key, o.name AS name, [l IN labels(o) WHERE l <> 'Entity'][0] AS label,
  coalesce(r.at, o.at) AS at, CASE WHEN r.aid IS NULL THEN coalesce(r.state, o.state) ELSE o.state END AS state, coalesce(r.how, r.what) AS how,
  r.authority AS authority, r.valid_from AS valid_from, r.valid_to AS valid_to, r.scope AS scope, total, x, r, o
ORDER BY coalesce(at, 0) DESC, key, rel, r.id LIMIT 10000
