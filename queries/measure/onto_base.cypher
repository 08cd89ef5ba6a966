// kind: fragment
// takes: x
// params: base: str
// Keeps pull requests against that branch.
WITH * WHERE x.base = $base
