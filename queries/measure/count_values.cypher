// kind: fragment
// takes: u
// How many in each group, where a group is a value.
WITH null AS g, v AS key, v AS name, count(DISTINCT u) AS n
