// kind: fragment
// takes: x
// How many items.
RETURN count(DISTINCT x) AS n LIMIT 1
