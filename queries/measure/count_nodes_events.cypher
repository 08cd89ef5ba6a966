// kind: fragment
// takes: g, e
// How many events in each group, where a group is an entity.
WITH g, g.key AS key, g.name AS name, count(DISTINCT e) AS n
