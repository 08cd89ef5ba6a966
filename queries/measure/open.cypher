// kind: fragment
// takes: x
// Open at the instant asked about.
  AND x.created_at <= $as_of AND coalesce(x.merged_at, 9999999999) > $as_of
  AND coalesce(x.closed_at, CASE WHEN x.state = 'open' THEN 9999999999 ELSE coalesce(x.merged_at, 0) END) > $as_of
