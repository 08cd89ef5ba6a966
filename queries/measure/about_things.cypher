// kind: fragment
// takes: x
// params: things: list[str]
// About one of the things, or fired on it, deployed to it, changing it, or binding it.
MATCH (x)-[ab:ABOUT|MODIFIES|FIRED_ON|DEPLOYED_TO|APPLIES_TO]->(y) WHERE y.key IN $things AND visible(x) AND visible(y) AND current(ab)
WITH DISTINCT x
