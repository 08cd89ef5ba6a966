// kind: fragment
// takes: x
// By the team that owns what it is about.
MATCH (x)-[ab:ABOUT|MODIFIES|FIRED_ON|DEPLOYED_TO|APPLIES_TO]->(y)<-[gr:OWNS]-(g:Team)
WHERE visible(x) AND visible(y) AND visible(g) AND current(ab) AND current(gr)
