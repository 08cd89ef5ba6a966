// kind: fragment
// takes: x
// Closed by then, of pull requests those closed without being merged.
  AND coalesce(x.merged_at, 9999999999) > $as_of AND x.closed_at <= $as_of
