// kind: fragment
// takes: e
// Each event counts.
WITH *, e AS u
