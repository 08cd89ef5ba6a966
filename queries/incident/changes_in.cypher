// kind: internal
// params: deploys: list[str], changes: list[str] = [], reach: int = 1209600, k: int = 400
// example: {deploys: ["deploy:event-bus-20261014-0111"]}
// returns: deploy, key, title, labels, files (60 at most), n_files, why (contained or merged_between: new with it; included: it deploys it,
// returns: new or not; listed), own (whether it touches more than the code of other services), at
// What is in each deployment: the pull requests and commits of its repository that came after the deployment before it, to the same
// service and environment, and up to the commit that it deploys; without one before it, those of the two weeks before. `changes` are
// pull requests and commits that are listed with their files as they are.
UNWIND $deploys + $changes AS wanted
MATCH (d:Entity {key: wanted}) WHERE visible(d) AND NOT d:Chunk
CALL {
  WITH d
  MATCH (d)-[t:DEPLOYED_TO]->(s) WHERE visible(d) AND visible(s) AND current(t) AND d:Deploy
  OPTIONAL MATCH (d)-[i:INCLUDES]->(c:Commit) WHERE visible(c) AND current(i)
  WITH d, s, coalesce(max(c.at), d.at) AS upto, collect(c)[..1] AS own
  OPTIONAL MATCH (e:Deploy)-[u:DEPLOYED_TO]->(s)
  WHERE visible(e) AND visible(s) AND current(u) AND e.at < d.at AND coalesce(e.env, '') = coalesce(d.env, '')
    AND NOT coalesce(e.status, '') IN ['failure', 'failed', 'error', 'inactive'] AND coalesce(e.kind, '') <> 'flag'
  WITH d, s, upto, own, e ORDER BY e.at DESC, e.key
  WITH d, s, upto, own, collect(e)[..1] AS before
  UNWIND CASE WHEN size(before) = 0 THEN [null] ELSE before END AS e
  OPTIONAL MATCH (e)-[i:INCLUDES]->(c:Commit) WHERE visible(c) AND current(i)
  WITH d, s, upto, own, e, max(c.at) AS b
  WITH d, s, upto, own, e, CASE WHEN e IS NULL THEN upto - $reach ELSE coalesce(b, e.at) END AS since
  MATCH (p:Entity) WHERE visible(p) AND NOT p:Chunk AND p.repo = d.repo AND (
    (p:PullRequest AND p.merged_at > since AND p.merged_at <= upto + 60) OR (p:Commit AND p.on_default AND p.at > since AND p.at <= upto))
  OPTIONAL MATCH (whole:PullRequest)-[i:INCLUDES]->(p) WHERE visible(whole) AND visible(p) AND current(i) AND whole.merged_at <= $as_of
  WITH d, own, p, count(whole) AS wholes WHERE wholes = 0
  RETURN p, CASE WHEN p IN own THEN 'contained' ELSE 'merged_between' END AS why
  UNION
  WITH d
  MATCH (d)-[i:INCLUDES]->(p) WHERE visible(d) AND visible(p) AND current(i) AND d:Deploy AND NOT p:Chunk
  RETURN p, 'included' AS why
  UNION
  WITH d
  WITH d AS p WHERE p:PullRequest OR p:Commit
  RETURN p, 'listed' AS why
}
WITH d, p, why ORDER BY why
WITH d, p, collect(why)[0] AS why
OPTIONAL MATCH (p)-[t:TOUCHED]->(f:File) WHERE visible(p) AND visible(f) AND current(t)
WITH d, p, why, collect(DISTINCT f.key) AS files
OPTIONAL MATCH (d)-[t:DEPLOYED_TO]->(s:Service) WHERE visible(d) AND visible(s) AND current(t)
WITH d, p, why, files, collect(s.key) AS onto
OPTIONAL MATCH (o:Service)-[w:CODE_IN]->(x:Directory) WHERE visible(o) AND visible(x) AND current(w) AND counted(w) AND x.repo = p.repo
WITH d, p, why, files, [h IN collect(CASE WHEN o.key IN onto THEN 'file:' + substring(x.key, 4) + '/' END) WHERE h IS NOT NULL] AS home,
  [a IN collect(CASE WHEN NOT o.key IN onto THEN 'file:' + substring(x.key, 4) + '/' END) WHERE a IS NOT NULL] AS away
RETURN d.key AS deploy, p.key AS key, coalesce(p.title, p.subject, p.name) AS title, p.labels AS labels, files[..60] AS files, size(files) AS n_files,
  why, size(files) = 0 OR any(f IN files WHERE any(h IN home WHERE f STARTS WITH h) OR NOT any(a IN away WHERE f STARTS WITH a)) AS own,
  coalesce(p.merged_at, p.at) AS at, d, p
ORDER BY deploy, at DESC, key LIMIT $k
