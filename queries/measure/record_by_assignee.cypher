// kind: fragment
// takes: x
// params: persons: list[str]
// Assigned to one of the persons.
MATCH (x)-[ps:ASSIGNED_TO]->(p) WHERE p.key IN $persons AND visible(x) AND visible(p) AND current(ps)
WITH DISTINCT x
