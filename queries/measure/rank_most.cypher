// kind: fragment
// takes: g
// params: top: int = 10, min: int = 0
// The groups of at least so many in order, with how many there are and the sum over all of them.
WITH g, key, name, n WHERE n >= $min
WITH g, key, name, n ORDER BY n DESC, key
WITH collect([g, key, name, n]) AS found, toInteger(sum(n)) AS total
WITH found[..$top] AS best, size(found) AS groups, total
UNWIND best AS row
RETURN row[1] AS key, row[2] AS name, row[3] AS n, total, groups, row[0] AS g
ORDER BY n DESC, key LIMIT 10000
