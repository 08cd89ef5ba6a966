// kind: fragment
// takes: x
// Of the default branch.
  AND coalesce(x.on_default, true)
