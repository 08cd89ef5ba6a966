// kind: fragment
// All commits.
MATCH (x:Commit) WHERE visible(x)
