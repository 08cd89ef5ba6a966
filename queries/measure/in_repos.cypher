// kind: fragment
// takes: x
// params: repos: list[str]
// Of these repositories.
  AND x.repo IN $repos
