// kind: internal
// params: things: list[str], since: int, until: int, k: int = 60
// example: {things: ["service:tide-model"], since: 1789600000, until: 1789700000}
// returns: what (commit), key, name, at, on, hops (none), author, status
// Commits on the default branch in [since, until) that touch the code of these services and belong to no pull request: what changed
// where nobody records deployments and pull requests.
MATCH (s:Service) WHERE s.key IN $things AND visible(s)
MATCH (s)-[i:CODE_IN]->(x) WHERE visible(s) AND visible(x) AND current(i) AND counted(i) AND (x:Directory OR x:Repo)
MATCH (c:Commit) WHERE visible(c) AND c.on_default AND NOT coalesce(c.merge, false) AND c.at >= $since AND c.at < $until
  AND c.repo = CASE WHEN x:Repo THEN substring(x.key, 5) ELSE x.repo END
OPTIONAL MATCH (w:PullRequest)-[n:INCLUDES]->(c) WHERE visible(w) AND visible(c) AND current(n)
WITH s, i, x, c, count(w) AS wholes WHERE wholes = 0
OPTIONAL MATCH (c)-[t:TOUCHED]->(f:File) WHERE visible(c) AND visible(f) AND current(t) AND (x:Repo OR f.key STARTS WITH ('file:' + substring(x.key, 4) + '/'))
WITH s, i, x, c, count(f) AS files WHERE files > 0
OPTIONAL MATCH (a:Person)-[w:AUTHORED]->(c) WHERE visible(a) AND visible(c) AND current(w)
WITH s, i, x, c, a ORDER BY a.key
WITH s, i, x, c, collect(a)[0] AS a
WITH c, a, collect([s, i, x])[0] AS one
WITH c, a, one[0] AS s, one[1] AS i, one[2] AS x
RETURN 'commit' AS what, c.key AS key, coalesce(c.subject, c.name) AS name, c.at AS at, s.key AS on, null AS hops, a.name AS author, 'on the default branch' AS status,
  c, s, i, x, a
ORDER BY at DESC, key LIMIT $k
