// kind: fragment
// takes: x
// t is when it was closed.
WITH x, x.closed_at AS t
