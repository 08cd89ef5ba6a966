// kind: fragment
// takes: x
// params: release_repo: str, after: int = -1, upto: int
// Releases of the repository between two instants, the later one included.
  AND x.repo = $release_repo AND coalesce(x.published_at, x.at) > $after AND coalesce(x.published_at, x.at) <= $upto
