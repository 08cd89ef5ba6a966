// kind: fragment
// takes: x
// params: authors: list[str]
// Keeps what one of these persons authored or opened, whoever else is asked about.
MATCH (o:Person)-[ow:AUTHORED|OPENED]->(x) WHERE visible(o) AND current(ow) AND o.key IN $authors AND coalesce(ow.co, false) = false
WITH DISTINCT x
