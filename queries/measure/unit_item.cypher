// kind: fragment
// takes: x
// Each item counts once.
WITH *, x AS u
