// kind: fragment
// takes: p
// By who did it.
WITH *, p AS g
