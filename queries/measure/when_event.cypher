// kind: fragment
// takes: e
// params: since: int = 0, until: int = 9999999999
// Keeps events within the window; t is their time.
WITH *, e.at AS t WHERE t >= $since AND t < $until
