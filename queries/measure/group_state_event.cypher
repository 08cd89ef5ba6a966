// kind: fragment
// takes: x, e
// By the state the item had at the instant asked about.
WITH x, e, CASE WHEN x.merged_at <= $as_of THEN 'merged' WHEN x.closed_at <= $as_of THEN 'closed' ELSE 'open' END AS v
