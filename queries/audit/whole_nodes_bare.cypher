// kind: audit
// params: first: int, end: int
// returns: labels, props
// Every node whose number is from `first` on and below `end`, as stored but without its vector; for copies.
MATCH (n) WHERE id(n) >= $first AND id(n) < $end
RETURN labels(n) AS labels, n{.*, emb: null} AS props
ORDER BY id(n) LIMIT 10000
