// kind: internal
// params: keys: list[str], k: int = 5
// example: {keys: ["decision:docs/adr/0004-readings-two-years-one-database"]}
// returns: key, name, number, stated, at, status, reason, doc, author, author_name, deciders, superseded_by, supersedes, scope, line, quote
// Decisions with what became of them by the instant asked about: what replaced them wholly or in part decides, then what they state
// themselves; `stated` is null where what the record says today was not so yet. What a decision replaces that is only proposed, or
// was rejected, stands.
UNWIND range(0, size($keys) - 1) AS i
MATCH (d:Entity:Decision {key: $keys[i]}) WHERE visible(d)
OPTIONAL MATCH (c:Entity:Doc {key: d.doc}) WHERE visible(c)
WITH i, d, c
OPTIONAL MATCH (n)-[r:SUPERSEDES]->(d) WHERE stated(r) AND readable(n) AND NOT n:Chunk
WITH i, d, c, n, r ORDER BY n.at DESC, n.key
WITH i, d, c, collect([n, r]) AS one
OPTIONAL MATCH (n)-[r:SUPERSEDES]->(c) WHERE stated(r) AND readable(n) AND visible(c) AND NOT n:Chunk
WITH i, d, c, one, n, r ORDER BY n.at DESC, n.key
WITH i, d, c, one, collect([n, r]) AS two
WITH i, d, c, one + two AS all
WITH i, d, c, [p IN all WHERE p[0] IS NOT NULL AND NOT toLower(coalesce(p[0].stated, '')) IN ['proposed', 'rejected', 'draft', 'declined', 'withdrawn']] AS all
WITH i, d, c, all, [p IN all WHERE coalesce(p[0].at, 0) <= $as_of AND p[1].valid_from <= $as_of AND coalesce(p[1].valid_to, 9999999999) > $as_of] AS now
WITH i, d, c, now, size(all) - size(now) AS later, [p IN now WHERE coalesce(p[1].scope, '') = ''] AS whole, [p IN now WHERE coalesce(p[1].scope, '') <> ''] AS part
OPTIONAL MATCH (d)-[s:SUPERSEDES]->(m) WHERE current(s) AND visible(m) AND NOT m:Chunk
WITH i, d, c, now, later, whole, part, m, s ORDER BY m.key
WITH i, d, c, now, later, whole, part, collect(m) AS olds, collect(s) AS over
OPTIONAL MATCH (p:Person)-[w:WROTE]->(d) WHERE current(w) AND visible(p)
WITH i, d, c, now, later, whole, part, olds, over, p, w ORDER BY p.key
WITH i, d, c, now, later, whole, part, olds, over, collect([p, w, 0]) AS wrote
OPTIONAL MATCH (p:Person)-[w:WROTE]->(c) WHERE current(w) AND visible(p) AND visible(c)
WITH i, d, c, now, later, whole, part, olds, over, wrote, p, w ORDER BY p.key
WITH i, d, c, now, later, whole, part, olds, over, wrote, collect([p, w, 1]) AS also
WITH i, d, c, now, later, whole, part, olds, over, wrote + also AS wrote
OPTIONAL MATCH (p)-[w:DECIDED]->(d) WHERE current(w) AND visible(p) AND (p:Person OR p:Team)
WITH i, d, c, now, later, whole, part, olds, over, wrote, p, w ORDER BY p.key
WITH i, d, c, now, later, whole, part, olds, over, wrote, collect([p, w, 2]) AS decided
WITH i, d, c, now, later, whole, part, olds, over, [a IN wrote + decided WHERE a[0] IS NOT NULL] AS people, [a IN decided WHERE a[0] IS NOT NULL] AS decided
WITH i, d, c, now, later, whole, part, olds, over, people, decided, toLower(coalesce(d.stated, '')) AS said,
  CASE WHEN size(whole) > 0 THEN whole[0][1] WHEN size(part) > 0 THEN part[0][1] ELSE people[0][1] END AS because
OPTIONAL MATCH (e:Evidence {id: because.evidence[0]}) WHERE visible(e)
RETURN d.key AS key, coalesce(d.title, d.name) AS name, d.number AS number,
  CASE WHEN (said CONTAINS 'supersed' OR said CONTAINS 'replaced') AND size(now) = 0 AND later > 0 THEN null ELSE d.stated END AS stated, d.at AS at,
  CASE WHEN size(whole) > 0 THEN 'superseded'
    WHEN said CONTAINS 'reject' OR said CONTAINS 'declin' THEN 'rejected'
    WHEN said CONTAINS 'deprecat' OR said CONTAINS 'retire' OR said CONTAINS 'obsolete' OR said CONTAINS 'withdrawn' THEN 'deprecated'
    WHEN said CONTAINS 'propos' OR said CONTAINS 'draft' OR said CONTAINS 'discuss' OR said CONTAINS 'pending' OR said CONTAINS 'progress' THEN 'proposed'
    WHEN size(part) > 0 THEN 'partly_superseded'
    WHEN (said CONTAINS 'supersed' OR said CONTAINS 'replaced') AND later > 0 THEN 'in_force'
    WHEN (said CONTAINS 'supersed' OR said CONTAINS 'replaced') AND said CONTAINS 'part' THEN 'partly_superseded'
    WHEN said CONTAINS 'supersed' OR said CONTAINS 'replaced' THEN 'superseded'
    WHEN said = '' THEN 'unknown'
    WHEN any(w IN ['accept', 'approv', 'adopt', 'decided', 'implement', 'amend', 'active', 'agreed', 'done', 'final', 'in force'] WHERE said CONTAINS w) THEN 'in_force'
    ELSE 'unknown' END AS status,
  d.reason AS reason, coalesce(c.key, d.doc) AS doc, people[0][0].key AS author, people[0][0].name AS author_name, [a IN decided | a[0].key] AS deciders,
  [p IN now | p[0].key] AS superseded_by, [m IN olds | m.key] AS supersedes, coalesce(part[0][1].scope, over[0].scope) AS scope, e.source AS from_key, e.line AS line,
  e.quote AS quote, d, c, [p IN now | p[0]] AS newer, [p IN now | p[1]] AS claims, olds, over, [a IN people | a[0]] AS who, [a IN people | a[1]] AS wrote
ORDER BY i, key LIMIT $k
