// kind: audit
// params: labels: list[str], after: str = "", k: int = 5000
// example: {labels: ["PullRequest"]}
// returns: key
// The keys of everything of these types, a page at a time.
MATCH (x:Entity) WHERE x.key > $after AND any(l IN labels(x) WHERE l IN $labels)
RETURN x.key AS key
ORDER BY key LIMIT $k
