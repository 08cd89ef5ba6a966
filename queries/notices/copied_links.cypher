// kind: internal
// params: after: str = "", k: int = 2000
// returns: key (of the relation), src, rel, dst, props
// How rules hang together with what states, replaces and justifies them and with whom they bind, and who is in what, a page at a
// time; asked at the end of time.
CALL {
  MATCH (a:Entity)-[r:APPLIES_TO|SUPERSEDES|JUSTIFIED_BY]->(b:Entity)
  WHERE stated(r) AND visible(a) AND visible(b) AND NOT b:Chunk AND (a:Rule OR a:Doc)
  RETURN a, r, b
  UNION ALL
  MATCH (a:Entity)-[r:WROTE|DECIDED]->(b:Rule)
  WHERE stated(r) AND visible(a) AND visible(b)
  RETURN a, r, b
  UNION ALL
  MATCH (a:Entity)-[r:MEMBER_OF|HOLDS_ROLE]->(b:Entity)
  WHERE stated(r) AND visible(a) AND visible(b)
  RETURN a, r, b
  UNION ALL
  MATCH (a:Entity)-[r:PART_OF]->(b:Entity)
  WHERE current(r) AND visible(a) AND visible(b) AND NOT a:Chunk AND NOT b:Chunk AND (a:Rule OR a:Service OR a:System OR a:Team)
  RETURN a, r, b
}
WITH a, r, b, a.key + ' ' + type(r) + ' ' + b.key + ' ' + coalesce(r.id, '') AS key
WHERE key > $after
WITH a, r, b, key ORDER BY key
WITH collect([a, r, b, key])[..$k] AS page
UNWIND page AS hit
WITH hit[0] AS a, hit[1] AS r, hit[2] AS b, hit[3] AS key
RETURN key, a.key AS src, type(r) AS rel, b.key AS dst, properties(r) AS props
ORDER BY key LIMIT 5000
