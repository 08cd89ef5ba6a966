// kind: fragment
// takes: x
// params: release_repo: str, after: int = -1, upto: int
// Keeps what shipped first in a release of the repository that is later than one instant and not later than the other.
MATCH (x)-[s:SHIPPED_IN]->(rel:Release)
WHERE visible(rel) AND current(s) AND rel.repo = $release_repo
  AND coalesce(rel.published_at, rel.at) > $after AND coalesce(rel.published_at, rel.at) <= $upto
WITH DISTINCT x
