// kind: fragment
// takes: x
// params: base: str
// Against that branch.
  AND x.base = $base
