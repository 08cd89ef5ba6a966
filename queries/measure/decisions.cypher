// kind: fragment
// All decisions.
MATCH (x:Decision) WHERE visible(x)
