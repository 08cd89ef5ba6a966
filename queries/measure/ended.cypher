// kind: fragment
// takes: x
// Merged or closed by then.
  AND coalesce(x.merged_at, x.closed_at) <= $as_of
