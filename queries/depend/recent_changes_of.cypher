// kind: fragment
// takes: p, y, hops, direction
// params: starts: list[str], since: int, until: int, k: int = 50
// What changed on the starts and on what they need: deployments, changes of feature flags, merged pull requests in the code of
// the service, and tickets that say they change it, the newest first.
WITH collect([y, hops, p]) AS reached
MATCH (x:Entity) WHERE x.key IN $starts AND visible(x) AND NOT x:Chunk
WITH reached, collect([x, 0, null]) AS own
UNWIND own + reached AS hit
WITH hit[0] AS s, hit[1] AS hops, hit[2] AS p
WITH s, hops, p, CASE WHEN p IS NULL THEN [] ELSE [n IN nodes(p) | n.key] END AS path,
  CASE WHEN p IS NULL THEN [] ELSE [e IN relationships(p) | type(e) + coalesce(e.aid, '')] END AS links
ORDER BY hops, s.key, size(path), path, links
WITH s, min(hops) AS hops, collect(p)[0] AS p
CALL {
  WITH s
  MATCH (c:Deploy)-[d:DEPLOYED_TO|MODIFIES]->(s)
  WHERE visible(c) AND visible(s) AND current(d) AND c.at >= $since AND c.at < $until
  RETURN CASE c.kind WHEN 'flag' THEN 'flag' ELSE 'deploy' END AS what, c, c.at AS at, c.status AS status, c.author AS author, [d] AS links, [] AS others
  UNION ALL
  WITH s
  MATCH (c:Ticket)-[d:MODIFIES]->(s) WHERE visible(c) AND visible(s) AND current(d)
  WITH c, d, CASE WHEN c.closed_at <= $as_of THEN c.closed_at ELSE coalesce(c.created_at, c.at) END AS at
  WHERE at >= $since AND at < $until
  RETURN 'ticket' AS what, c, at, c.state AS status, c.assignee AS author, [d] AS links, [] AS others
  UNION ALL
  WITH s
  MATCH (c:PullRequest)-[d:MODIFIES]->(s)
  WHERE visible(c) AND visible(s) AND current(d) AND c.merged_at >= $since AND c.merged_at < $until AND c.merged_at <= $as_of
  RETURN 'pr' AS what, c, c.merged_at AS at, 'merged' AS status, c.author AS author, [d] AS links, [] AS others
  UNION ALL
  WITH s
  MATCH (s)-[i:CODE_IN]->(r:Repo) WHERE current(i) AND counted(i) AND visible(r)
  MATCH (c:PullRequest) WHERE c.merged_at >= $since AND c.merged_at < $until AND c.merged_at <= $as_of AND c.repo = substring(r.key, 5) AND visible(c)
  OPTIONAL MATCH (a:Person)-[w:AUTHORED]->(c) WHERE current(w) AND visible(a)
  WITH s, c, i, a, w ORDER BY a.key, w.id
  WITH s, c, i, collect(a) AS people, collect(w) AS wrote
  RETURN 'pr' AS what, c, c.merged_at AS at, 'merged' AS status, c.author AS author, [i] + wrote AS links, people AS others
  UNION ALL
  WITH s
  MATCH (s)-[i:CODE_IN]->(r:Directory) WHERE current(i) AND counted(i) AND visible(r)
  MATCH (c:PullRequest) WHERE c.merged_at >= $since AND c.merged_at < $until AND c.merged_at <= $as_of AND c.repo = r.repo AND visible(c)
  MATCH (c)-[t:TOUCHED]->(f:File) WHERE visible(f) AND f.key STARTS WITH ('file:' + substring(r.key, 4) + '/')
  WITH DISTINCT s, c, i
  OPTIONAL MATCH (a:Person)-[w:AUTHORED]->(c) WHERE current(w) AND visible(a)
  WITH s, c, i, a, w ORDER BY a.key, w.id
  WITH s, c, i, collect(a) AS people, collect(w) AS wrote
  RETURN 'pr' AS what, c, c.merged_at AS at, 'merged' AS status, c.author AS author, [i] + wrote AS links, people AS others
}
WITH s, hops, p, what, c, at, status, author, links, others
OPTIONAL MATCH (o:Person)-[q:KNOWS]->(s) WHERE visible(s) AND current(q) AND counted(q) AND visible(o) AND o IN others
WITH what, c, at, status, author, s, hops, p, links, others, q ORDER BY q.last_at DESC
WITH what, c, at, status, author, s, hops, p, links, others, collect(q) AS knows
ORDER BY hops, s.key
WITH what, c, at, status, author, collect([s, hops, p, links, others, knows])[0] AS near
RETURN what, c.key AS key, coalesce(c.title, c.name) AS name, at, near[0].key AS on, near[1] AS hops, author, status, c, near[0] AS s, near[2] AS p,
  near[3] AS links, near[4] AS others, near[5] AS knows
ORDER BY at DESC, key LIMIT $k
