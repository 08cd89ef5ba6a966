// kind: fragment
// takes: x
// Still there.
  AND coalesce(x.exists, true)
