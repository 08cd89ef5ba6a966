// kind: audit
// params: first: int, end: int
// returns: labels, props
// Every node whose number is from `first` on and below `end`, labelled or not, as stored; for copies.
MATCH (n) WHERE id(n) >= $first AND id(n) < $end
RETURN labels(n) AS labels, properties(n) AS props
ORDER BY id(n) LIMIT 10000
