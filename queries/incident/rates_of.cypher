// kind: internal
// params: things: list[str], since: int, until: int
// example: {things: ["service:event-bus"], since: 1780000000, until: 1791000000}
// returns: key, n, deploys (how many of them), first (when the first of them was), unknown (whether only a label names the thing)
// How many times each thing was deployed to or changed by a ticket in [since, until): how unusual a change there is.
MATCH (s:Entity) WHERE s.key IN $things AND visible(s) AND NOT s:Chunk
OPTIONAL MATCH (c:Entity)-[d:DEPLOYED_TO|MODIFIES]->(s)
WHERE visible(c) AND visible(s) AND current(d) AND NOT c:Chunk AND coalesce(c.merged_at, c.closed_at, c.at) >= $since AND coalesce(c.merged_at, c.closed_at, c.at) < $until
WITH s, count(DISTINCT c) AS n, count(DISTINCT CASE WHEN c:Deploy AND coalesce(c.kind, '') <> 'flag' THEN c END) AS deploys, min(coalesce(c.merged_at, c.closed_at, c.at)) AS first
RETURN s.key AS key, n, deploys, first, coalesce(s.unknown, false) AS unknown, s
ORDER BY key LIMIT 500
