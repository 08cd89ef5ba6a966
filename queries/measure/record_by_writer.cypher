// kind: fragment
// takes: x
// params: persons: list[str]
// Written or decided by one of the persons.
MATCH (x)<-[ps:WROTE|DECIDED]-(p) WHERE p.key IN $persons AND visible(x) AND visible(p) AND current(ps)
WITH DISTINCT x
