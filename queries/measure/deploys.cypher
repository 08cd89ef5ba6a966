// kind: fragment
// All deployments.
MATCH (x:Deploy) WHERE visible(x)
