// kind: fragment
// takes: x
// Keeps pull requests.
WITH * WHERE x:PullRequest
