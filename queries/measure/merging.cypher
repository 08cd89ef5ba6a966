// kind: fragment
// takes: x
// params: merges: bool
// Merge commits, or none.
  AND coalesce(x.merge, false) = $merges
