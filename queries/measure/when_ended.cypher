// kind: fragment
// takes: x
// params: since: int = 0, until: int = 9999999999
// What was ended within the window.
  AND coalesce(x.merged_at, x.closed_at) >= $since AND coalesce(x.merged_at, x.closed_at) < $until AND coalesce(x.merged_at, x.closed_at) <= $as_of
