// kind: fragment
// takes: x
// By the state it had at the instant asked about.
WITH *, CASE WHEN x.merged_at <= $as_of THEN 'merged' WHEN x.closed_at <= $as_of THEN 'closed' ELSE 'open' END AS v
