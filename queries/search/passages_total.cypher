// kind: internal
// returns: n, sum_at
// How many passages the viewer may read, and the sum of their instants: two instants with the same two numbers have the same passages.
MATCH (c:Chunk) WHERE visible(c)
RETURN count(c) AS n, sum(coalesce(c.at, 0)) AS sum_at
ORDER BY n LIMIT 1
