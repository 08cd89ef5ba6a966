// kind: fragment
// takes: x
// Merged by then.
  AND x.merged_at <= $as_of
