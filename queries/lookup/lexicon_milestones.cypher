// kind: internal
// returns: milestone, n
// Every milestone that a visible issue or pull request is in, with how many are.
MATCH (n:Entity) WHERE (n:PullRequest OR n:Issue) AND visible(n) AND n.milestone IS NOT NULL
RETURN n.milestone AS milestone, count(*) AS n
ORDER BY n DESC, milestone LIMIT 2000
