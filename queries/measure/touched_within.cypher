// kind: fragment
// takes: x
// params: since: int = 0, until: int = 9999999999
// Keeps files changed on the default branch or by a merged pull request within the window; t is the last time.
MATCH (y)-[ty:TOUCHED]->(x)
WHERE visible(y) AND ((y:Commit AND coalesce(y.on_default, true)) OR y.merged_at <= $as_of)
WITH x, coalesce(y.merged_at, y.at) AS t WHERE t >= $since AND t < $until
WITH x, max(t) AS t
