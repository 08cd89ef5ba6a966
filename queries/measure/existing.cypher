// kind: fragment
// takes: x
// Keeps files that still exist.
WITH * WHERE coalesce(x.exists, true)
