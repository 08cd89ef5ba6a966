// kind: fragment
// takes: e
// How many events in each group, where a group is a value.
WITH null AS g, v AS key, v AS name, count(DISTINCT e) AS n
