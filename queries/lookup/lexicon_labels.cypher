// kind: internal
// returns: label, n
// Every label that a visible issue or pull request carries, with how many carry it.
MATCH (n:Entity) WHERE (n:PullRequest OR n:Issue) AND visible(n) AND n.labels IS NOT NULL
UNWIND n.labels AS label
RETURN label, count(*) AS n
ORDER BY n DESC, label LIMIT 5000
