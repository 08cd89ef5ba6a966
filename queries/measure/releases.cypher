// kind: fragment
// All releases.
MATCH (x:Release) WHERE visible(x)
