// kind: internal
// params: deploys: list[str], before: list[str], repos: list[str], since: list[int], until: list[int], k: int = 400
// example: {deploys: ["deploy:event-bus-20261014-0111"], before: [""], repos: ["merefold/tidewire"], since: [0], until: [1800000000]}
// returns: deploy, key, title, at, how, tied, files, inside (how many of the files lie in the folders of what was deployed)
// What was merged into the repository of each deployment after its `since` and up to its `until`, the lists side by side: pull requests,
// and commits of the default branch that belong to none, but for those of the deployment `before`; with how it is part of the deployment
// where that is recorded, and how many of its files lie where the code of the service does.
UNWIND range(0, size($deploys) - 1) AS turn
MATCH (d:Entity:Deploy {key: $deploys[turn]}) WHERE visible(d)
OPTIONAL MATCH (d)-[g:DEPLOYED_TO]->(s:Service)-[w:CODE_IN]->(x:Directory)
WHERE visible(d) AND visible(s) AND visible(x) AND current(g) AND current(w) AND counted(w) AND x.repo = $repos[turn]
WITH d, turn, collect(DISTINCT 'file:' + substring(x.key, 4) + '/') AS folders
CALL {
  WITH d, turn
  MATCH (p:PullRequest) WHERE p.merged_at > $since[turn] AND p.merged_at <= $until[turn] AND p.merged_at <= $as_of AND p.repo = $repos[turn] AND visible(p)
  OPTIONAL MATCH (d)-[i:INCLUDES]->(p) WHERE visible(d) AND visible(p) AND current(i)
  RETURN p, p.merged_at AS at, i
  UNION ALL
  WITH d, turn
  MATCH (p:Commit) WHERE p.on_default AND p.at > $since[turn] AND p.at <= $until[turn] AND p.repo = $repos[turn] AND visible(p)
  OPTIONAL MATCH (whole:PullRequest)-[b:INCLUDES]->(p) WHERE visible(whole) AND visible(p) AND current(b)
  WITH d, p, count(whole) AS wholes WHERE wholes = 0
  OPTIONAL MATCH (d)-[i:INCLUDES]->(p) WHERE visible(d) AND visible(p) AND current(i)
  RETURN p, p.at AS at, i
  UNION ALL
  WITH d, turn
  MATCH (d)-[i:INCLUDES]->(p) WHERE visible(d) AND visible(p) AND current(i) AND (p:PullRequest OR p:Commit)
    AND (coalesce(p.merged_at, p.at, 0) <= $since[turn] OR coalesce(p.merged_at, p.at, 0) > $until[turn])
  OPTIONAL MATCH (whole:PullRequest)-[b:INCLUDES]->(p) WHERE visible(whole) AND visible(p) AND current(b) AND p:Commit
  WITH p, i, count(whole) AS wholes WHERE wholes = 0
  RETURN p, coalesce(p.merged_at, p.at) AS at, i
}
WITH d, turn, folders, p, at, collect(i) AS ties
OPTIONAL MATCH (e:Entity:Deploy {key: $before[turn]})-[j:INCLUDES]->(p) WHERE visible(e) AND visible(p) AND current(j)
WITH d, folders, p, at, ties, count(e) AS gone WHERE gone = 0 OR size(ties) > 0
OPTIONAL MATCH (p)-[t:TOUCHED]->(f:File) WHERE visible(p) AND visible(f) AND current(t) AND size(folders) > 0
WITH d, folders, p, at, ties, count(f) AS files, sum(CASE WHEN any(x IN folders WHERE f.key STARTS WITH x) THEN 1 ELSE 0 END) AS inside
RETURN d.key AS deploy, p.key AS key, coalesce(p.title, p.subject, p.name) AS title, at, ties[0].how AS how, size(ties) > 0 AS tied, files, inside, d, p, ties
ORDER BY deploy, tied DESC, at DESC, key LIMIT $k
