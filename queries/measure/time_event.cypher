// kind: fragment
// takes: p, x, e
// t is when it happened.
WITH p, x, e, e.at AS t
