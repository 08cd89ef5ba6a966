// kind: fragment
// takes: x
// t is when it was created.
WITH x, coalesce(x.created_at, x.at) AS t
