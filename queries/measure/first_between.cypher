// kind: fragment
// takes: g
// params: release_repo: str, after: int = -1, upto: int
// A release of the repository that is later than one instant and not later than the other.
  AND g.repo = $release_repo AND coalesce(g.published_at, g.at) > $after AND coalesce(g.published_at, g.at) <= $upto
