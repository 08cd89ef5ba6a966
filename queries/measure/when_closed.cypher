// kind: fragment
// takes: x
// params: since: int = 0, until: int = 9999999999
// Keeps what was closed within the window; t is that time.
WITH *, x.closed_at AS t WHERE t <= $as_of AND t >= $since AND t < $until
