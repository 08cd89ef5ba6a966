// kind: fragment
// takes: x
// params: persons: list[str]
// Kept up to date by one of the persons.
MATCH (x)-[ps:MAINTAINED_BY]->(p) WHERE p.key IN $persons AND visible(x) AND visible(p) AND current(ps)
WITH DISTINCT x
