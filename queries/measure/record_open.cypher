// kind: fragment
// takes: x
// Not closed, ended or resolved at the instant asked about.
  AND coalesce(x.closed_at, x.ended_at, CASE WHEN toLower(coalesce(x.state, x.status, '')) IN ['done', 'closed', 'resolved', 'fixed', 'solved', 'completed', 'cancelled', 'canceled', 'declined'] THEN 0 ELSE 9999999999 END) > $as_of
