// kind: fragment
// takes: g, x
// Leaves out people's own.
OPTIONAL MATCH (g)-[own:AUTHORED|OPENED]->(x) WHERE current(own)
WITH g, x, t, u, count(own) AS mine WHERE mine = 0
