// kind: fragment
// takes: x
// Leaves out what a program authored.
OPTIONAL MATCH (w)-[wr:AUTHORED]->(x) WHERE visible(w) AND current(wr) AND w.bot
WITH x, count(wr) AS programs WHERE programs = 0
