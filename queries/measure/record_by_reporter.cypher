// kind: fragment
// takes: x
// params: persons: list[str]
// Opened by one of the persons.
MATCH (x)<-[ps:OPENED]-(p) WHERE p.key IN $persons AND visible(x) AND visible(p) AND current(ps)
WITH DISTINCT x
