// kind: internal
// params: keys: list[str], k: int = 100
// returns: key, name, slot, value, conditions, subject, applies (names), valid_from, valid_to, authority, doc, from_key, line, quote
// Rules in the order given, with whom they bind, who made them, what they replace and where they stand.
UNWIND range(0, size($keys) - 1) AS i
MATCH (x:Entity:Rule {key: $keys[i]}) WHERE readable(x)
OPTIONAL MATCH (c:Entity {key: x.doc}) WHERE visible(c) AND NOT c:Chunk
WITH i, x, c
OPTIONAL MATCH (x)-[b:APPLIES_TO|JUSTIFIED_BY|SUPERSEDES]->(t) WHERE stated(b) AND readable(t)
WITH i, x, c, min(CASE WHEN b.recorded_at > 0 THEN b.recorded_at ELSE 9999999999 END) AS announced
WHERE coalesce(x.at, 0) <= $as_of OR c IS NOT NULL OR announced <= $as_of
WITH i, x, c
OPTIONAL MATCH (x)-[b:APPLIES_TO]->(t) WHERE stated(b) AND visible(t) AND NOT t:Chunk
WITH i, x, c, t, b ORDER BY t.key
WITH i, x, c, collect(DISTINCT t) AS bound, collect(b) AS binds
OPTIONAL MATCH (x)-[s:SUPERSEDES|JUSTIFIED_BY]->(o) WHERE stated(s) AND readable(o) AND NOT o:Chunk
WITH i, x, c, bound, binds, o, s ORDER BY type(s), o.key
WITH i, x, c, bound, binds, collect(CASE WHEN coalesce(o.at, 0) <= $as_of THEN o END) AS others, collect(s) AS links
OPTIONAL MATCH (p)-[w:WROTE|DECIDED]->(x) WHERE stated(w) AND visible(p) AND (p:Person OR p:Team)
WITH i, x, c, bound, binds, others, links, p, w ORDER BY p.key
WITH i, x, c, bound, binds, others, links, collect(p) AS people, collect(w) AS made
OPTIONAL MATCH (e:Evidence {id: coalesce(links[0].evidence[0], binds[0].evidence[0], made[0].evidence[0])}) WHERE visible(e)
RETURN x.key AS key, coalesce(x.title, x.name) AS name, x.slot AS slot, x.value AS value, x.conditions AS conditions,
  coalesce(x.subject, bound[0].name) AS subject, [t IN bound | t.name] AS applies, coalesce(x.valid_from, x.at, 0) AS valid_from, x.valid_to AS valid_to,
  x.authority AS authority, x.doc AS doc, coalesce(e.source, x.doc) AS from_key, e.line AS line, e.quote AS quote, i AS place, x, c, bound, binds, others, links,
  people, made
ORDER BY place, key LIMIT $k
