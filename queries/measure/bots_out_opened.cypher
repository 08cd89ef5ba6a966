// kind: fragment
// takes: x
// Leaves out what a program opened.
OPTIONAL MATCH (w)-[wr:OPENED]->(x) WHERE visible(w) AND current(wr) AND w.bot
WITH x, count(wr) AS programs WHERE programs = 0
