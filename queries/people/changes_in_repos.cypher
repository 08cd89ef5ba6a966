// kind: fragment
// params: repos: list[str]
// All pull requests and all commits of the default branch in whole repositories.
CALL {
  MATCH (x:PullRequest) WHERE x.repo IN $repos AND visible(x)
  RETURN x
  UNION ALL
  MATCH (x:Commit) WHERE x.repo IN $repos AND visible(x) AND coalesce(x.on_default, true)
  RETURN x
}
WITH x
