// kind: fragment
// takes: g, x
// How many items in each group, where a group is an entity.
WITH g, g.key AS key, g.name AS name, count(DISTINCT x) AS n
