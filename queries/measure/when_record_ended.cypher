// kind: fragment
// takes: x
// params: since: int = 0, until: int = 9999999999
// What was closed, ended or resolved within the window.
  AND coalesce(x.closed_at, x.ended_at) >= $since AND coalesce(x.closed_at, x.ended_at) < $until AND coalesce(x.closed_at, x.ended_at) <= $as_of
