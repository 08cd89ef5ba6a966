// kind: fragment
// takes: u
// How many.
RETURN count(DISTINCT u) AS n ORDER BY n LIMIT 1
