// kind: fragment
// takes: x
// params: since: int = 0, until: int = 9999999999
// What was committed within the window.
  AND x.at >= $since AND x.at < $until AND x.at <= $as_of
