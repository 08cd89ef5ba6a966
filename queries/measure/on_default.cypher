// kind: fragment
// takes: x
// Of the default branch.
  AND x.on_default
