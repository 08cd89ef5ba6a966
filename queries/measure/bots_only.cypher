// kind: fragment
// takes: x
// Keeps what a program authored.
MATCH (w)-[wr:AUTHORED]->(x) WHERE visible(w) AND current(wr) AND w.bot AND coalesce(wr.co, false) = false
WITH DISTINCT x
