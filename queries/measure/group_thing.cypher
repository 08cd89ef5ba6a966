// kind: fragment
// takes: x
// By the service or other thing it is about.
MATCH (x)-[gr:ABOUT|MODIFIES|FIRED_ON|DEPLOYED_TO|APPLIES_TO]->(g)
WHERE visible(x) AND visible(g) AND current(gr) AND (g:Service OR g:Module OR g:Resource OR g:Api OR g:System OR g:Team OR g:Role)
