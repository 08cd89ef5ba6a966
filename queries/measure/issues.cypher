// kind: fragment
// All issues.
MATCH (x:Issue) WHERE visible(x)
