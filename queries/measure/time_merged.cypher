// kind: fragment
// takes: x
// t is when it was merged.
WITH x, x.merged_at AS t
