// kind: fragment
// takes: x
// params: not_repos: list[str]
// Of none of these repositories.
  AND NOT x.repo IN $not_repos
