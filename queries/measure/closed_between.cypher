// kind: fragment
// takes: x
// params: release_repo: str, after: int = -1, upto: int
// Keeps issues closed by what shipped first in a release of the repository between two instants.
MATCH (y:PullRequest)-[cl:CLOSES]->(x) WHERE visible(y) AND current(cl)
MATCH (y)-[s:SHIPPED_IN]->(rel:Release)
WHERE visible(rel) AND current(s) AND rel.repo = $release_repo
  AND coalesce(rel.published_at, rel.at) > $after AND coalesce(rel.published_at, rel.at) <= $upto
WITH DISTINCT x
