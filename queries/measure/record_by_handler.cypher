// kind: fragment
// takes: x
// params: persons: list[str]
// Handled by one of the persons.
MATCH (x)-[ps:HANDLED_BY]->(p) WHERE p.key IN $persons AND visible(x) AND visible(p) AND current(ps)
WITH DISTINCT x
