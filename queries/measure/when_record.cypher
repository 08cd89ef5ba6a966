// kind: fragment
// takes: x
// params: since: int = 0, until: int = 9999999999
// What began, was opened, fired or was dated within the window.
  AND coalesce(x.created_at, x.valid_from, x.at, 0) >= $since AND coalesce(x.created_at, x.valid_from, x.at, 0) < $until
