// kind: fragment
// takes: x
// params: repos: list[str]
// Keeps what belongs to one of the repositories.
WITH * WHERE x.repo IN $repos
