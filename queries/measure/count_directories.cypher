// kind: fragment
// takes: u
// How many in each directory; one that is no longer there has no entity.
WITH v, count(DISTINCT u) AS n
OPTIONAL MATCH (g:Entity:Directory {key: v}) WHERE visible(g)
WITH g, v AS key, substring(v, 4) AS name, n
