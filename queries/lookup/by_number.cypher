// kind: internal
// params: number: int
// returns: key, repo, name
// Pull requests and issues of any repository that carry a number.
MATCH (n:PullRequest {number: $number}) WHERE visible(n)
RETURN n.key AS key, n.repo AS repo, n.name AS name
ORDER BY key LIMIT 50
UNION
MATCH (n:Issue {number: $number}) WHERE visible(n)
RETURN n.key AS key, n.repo AS repo, n.name AS name
ORDER BY key LIMIT 50
