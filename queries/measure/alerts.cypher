// kind: fragment
// All alerts.
MATCH (x:Alert) WHERE visible(x)
