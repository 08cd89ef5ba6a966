// kind: fragment
// takes: x
// Keeps what was merged by then.
WITH * WHERE x.merged_at <= $as_of
