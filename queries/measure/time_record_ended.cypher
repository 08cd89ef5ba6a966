// kind: fragment
// takes: x
// t is when it ended.
WITH x, coalesce(x.closed_at, x.ended_at, 0) AS t
