// kind: fragment
// takes: x
// Each once.
WITH DISTINCT x
