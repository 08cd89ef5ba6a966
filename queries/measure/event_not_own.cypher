// kind: fragment
// takes: p, x, e
// Leaves out reviews and comments on one's own.
OPTIONAL MATCH (p)-[own:AUTHORED|OPENED]->(x) WHERE current(own)
WITH p, e, x, count(own) AS mine WHERE mine = 0
