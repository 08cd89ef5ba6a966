// kind: fragment
// takes: p, x, e
// By who did it.
WITH p AS g, x, e WHERE g.key IS NOT NULL
