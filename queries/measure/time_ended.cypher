// kind: fragment
// takes: x
// t is when it was ended.
WITH x, coalesce(x.merged_at, x.closed_at) AS t
