// kind: internal
// params: keys: list[str]
// example: {keys: ["repo:merefold/gatekeeper"]}
// returns: key, name, label, repo, state, at
// The entities of these keys that the viewer may see.
MATCH (x:Entity) WHERE x.key IN $keys AND visible(x) AND NOT x:Chunk
RETURN x.key AS key, x.name AS name, [l IN labels(x) WHERE l <> 'Entity'][0] AS label, x.repo AS repo, x.state AS state, x.at AS at, x
ORDER BY key LIMIT 1000
