// kind: fragment
// takes: x
// Keeps what was closed by then, of pull requests those closed without being merged.
WITH * WHERE coalesce(x.merged_at, 9999999999) > $as_of AND x.closed_at <= $as_of
