// kind: fragment
// takes: x
// t is when the file appeared.
WITH x, coalesce(x.born_at, x.changed_at, 0) AS t
