// kind: fragment
// takes: x
// t is when it began.
WITH x, coalesce(x.created_at, x.valid_from, x.at, 0) AS t
