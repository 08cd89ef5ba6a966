// kind: fragment
// All pull requests.
MATCH (x:PullRequest) WHERE visible(x)
