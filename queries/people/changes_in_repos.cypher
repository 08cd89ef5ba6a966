// kind: fragment
// params: repos: list[str]
// All pull requests and all commits of the default branch in whole repositories.
MATCH (x:Entity) WHERE (x:PullRequest OR (x:Commit AND x.on_default)) AND x.repo IN $repos AND visible(x)
