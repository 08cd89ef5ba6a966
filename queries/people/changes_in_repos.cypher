// kind: fragment
// params: repos: list[str]
// All pull requests and all commits of the default branch in whole repositories.
CALL {
  MATCH (x:PullRequest) WHERE visible(x) AND x.repo IN $repos
  RETURN x
  UNION ALL
  MATCH (x:Commit) WHERE visible(x) AND x.repo IN $repos AND coalesce(x.on_default, true)
  RETURN x
}
WITH x
