// kind: fragment
// takes: x
// params: since: int = 0, until: int = 9999999999
// What was created within the window.
  AND coalesce(x.created_at, x.at) >= $since AND coalesce(x.created_at, x.at) < $until AND coalesce(x.created_at, x.at) <= $as_of
