// kind: fragment
// takes: x
// params: since: int = 0, until: int = 9999999999
// What was closed within the window.
  AND x.closed_at >= $since AND x.closed_at < $until AND x.closed_at <= $as_of
