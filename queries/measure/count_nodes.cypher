// kind: fragment
// takes: g, u
// How many in each group, where a group is an entity.
WITH g, g.key AS key, g.name AS name, count(DISTINCT u) AS n
