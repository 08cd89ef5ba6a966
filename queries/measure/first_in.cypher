// kind: fragment
// takes: g
// params: release: str
// Exactly this release.
  AND g.key = $release
