// kind: fragment
// takes: e
// How many events in each directory; one that is no longer there has no entity.
WITH v, count(DISTINCT e) AS n
OPTIONAL MATCH (g:Entity:Directory {key: v}) WHERE visible(g)
WITH g, v AS key, substring(v, 4) AS name, n
