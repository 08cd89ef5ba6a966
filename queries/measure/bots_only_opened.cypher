// kind: fragment
// takes: x
// Keeps what a program opened.
MATCH (w)-[wr:OPENED]->(x) WHERE visible(w) AND current(wr) AND w.bot
WITH DISTINCT x
