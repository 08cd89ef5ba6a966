// kind: fragment
// takes: x
// params: since: int = 0, until: int = 9999999999
// Keeps files changed on the default branch or by a merged pull request within the window; t is the last time.
MATCH (y)-[ty:TOUCHED]->(x)
WHERE visible(y) AND (y:PullRequest OR y:Commit) AND (y.on_default OR y.merged_at <= $as_of)
WITH x, coalesce(y.merged_at, y.at) AS t WHERE t >= $since AND t < $until
WITH x, max(t) AS t
