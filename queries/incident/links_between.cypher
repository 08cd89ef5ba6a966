// kind: internal
// params: deploys: list[str], before: list[str], repos: list[str], since: list[int], until: list[int], k: int = 400
// example: {deploys: ["deploy:event-bus-20261014-0111"], before: [""], repos: ["merefold/tidewire"], since: [0], until: [1800000000]}
// returns: deploy, key, title, at, how
// What was merged into the repository of each deployment after its `since` and up to its `until`, the lists side by side: pull requests,
// and commits of the default branch that belong to none, but for those of the deployment `before`; with how it is part of the deployment
// where that is recorded.
UNWIND range(0, size($deploys) - 1) AS turn
MATCH (d:Entity:Deploy {key: $deploys[turn]}) WHERE visible(d)
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
WITH d, turn, p, at, collect(i) AS ties
OPTIONAL MATCH (e:Entity:Deploy {key: $before[turn]})-[j:INCLUDES]->(p) WHERE visible(e) AND visible(p) AND current(j)
WITH d, p, at, ties, count(e) AS gone WHERE gone = 0 OR size(ties) > 0
RETURN d.key AS deploy, p.key AS key, coalesce(p.title, p.subject, p.name) AS title, at, ties[0].how AS how, size(ties) > 0 AS tied, d, p, ties
ORDER BY deploy, tied DESC, at DESC, key LIMIT $k
