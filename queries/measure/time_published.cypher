// kind: fragment
// takes: x
// t is when it was published.
WITH x, coalesce(x.published_at, x.at) AS t
