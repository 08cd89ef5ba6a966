// writes: CONTRIBUTES_TO
// returns: src (person), dst (repository), prs (merged, written), commits (on the default branch), reviews, first_at, last_at, at
// Who had changes accepted where: merged pull requests and commits of the default branch; with the reviews given there.
CALL {
  MATCH (p:Person)-[w:AUTHORED]->(x:PullRequest)-[b:IN_REPO]->(d:Repo)
  WHERE x.gone IS NULL AND x.access IN $labels AND x.merged_at IS NOT NULL
  WITH p, d, x WITH DISTINCT p, d, x
  RETURN p, d, 'pr' AS what, x.merged_at AS at
  UNION ALL
  MATCH (p:Person)-[w:AUTHORED]->(x:Commit)-[b:IN_REPO]->(d:Repo)
  WHERE x.gone IS NULL AND x.access IN $labels AND coalesce(x.on_default, true) AND coalesce(x.merge, false) = false
  WITH p, d, x WITH DISTINCT p, d, x
  RETURN p, d, 'commit' AS what, x.at AS at
  UNION ALL
  MATCH (p:Person)-[r:REVIEWED]->(x:PullRequest)-[b:IN_REPO]->(d:Repo)
  WHERE x.gone IS NULL AND x.access IN $labels
  RETURN p, d, 'review' AS what, coalesce(r.at, x.at) AS at
}
WITH p, d, sum(CASE what WHEN 'pr' THEN 1 ELSE 0 END) AS prs, sum(CASE what WHEN 'commit' THEN 1 ELSE 0 END) AS commits,
  sum(CASE what WHEN 'review' THEN 1 ELSE 0 END) AS reviews, min(at) AS first_at, max(at) AS last_at
WHERE prs + commits > 0
RETURN p.key AS src, d.key AS dst, toInteger(prs) AS prs, toInteger(commits) AS commits, toInteger(reviews) AS reviews, first_at, last_at,
  last_at AS at
ORDER BY src, dst
