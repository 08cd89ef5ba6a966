// kind: fragment
// takes: x
// params: since: int = 0, until: int = 9999999999
// What was merged within the window.
  AND x.merged_at >= $since AND x.merged_at < $until AND x.merged_at <= $as_of
