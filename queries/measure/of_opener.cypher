// kind: fragment
// takes: x
// params: authors: list[str]
// Keeps what one of these persons opened, whoever else is asked about.
MATCH (o:Person)-[ow:OPENED]->(x) WHERE visible(o) AND current(ow) AND o.key IN $authors
WITH DISTINCT x
