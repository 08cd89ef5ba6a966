// kind: fragment
// takes: e
// params: since: int = 0, until: int = 9999999999
// Within the window.
  AND e.at >= $since AND e.at < $until
