// kind: fragment
// takes: e
// How many events.
RETURN count(DISTINCT e) AS n LIMIT 1
