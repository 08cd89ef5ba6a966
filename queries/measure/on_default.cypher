// kind: fragment
// takes: x
// Keeps commits of the default branch.
WITH * WHERE x.on_default
