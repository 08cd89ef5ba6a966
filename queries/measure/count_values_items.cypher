// kind: fragment
// takes: x
// How many items in each group, where a group is a value.
WITH null AS g, v AS key, v AS name, count(DISTINCT x) AS n
