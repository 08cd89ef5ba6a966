// kind: internal
// params: things: list[str], k: int = 3
// example: {things: ["service:event-bus"]}
// returns: key, name, at, on
// The latest deployments to these things.
MATCH (d:Deploy)-[t:DEPLOYED_TO]->(s) WHERE visible(d) AND visible(s) AND current(t) AND s.key IN $things
WITH d, collect(s)[0] AS s
RETURN d.key AS key, d.name AS name, d.at AS at, s.key AS on, d, s
ORDER BY at DESC, key LIMIT $k
