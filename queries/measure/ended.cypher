// kind: fragment
// takes: x
// Keeps what was merged or closed by then.
WITH * WHERE coalesce(x.merged_at, x.closed_at) <= $as_of
