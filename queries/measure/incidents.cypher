// kind: fragment
// All incidents.
MATCH (x:Incident) WHERE visible(x)
