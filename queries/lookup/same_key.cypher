// kind: internal
// params: key: str
// example: {key: "REPO:merefold/GateKeeper"}
// returns: key, label
// The entity whose key is this one when upper and lower case are not told apart.
MATCH (x:Entity) WHERE NOT x:Chunk AND toLower(x.key) = toLower($key) AND visible(x)
RETURN x.key AS key, [l IN labels(x) WHERE l <> 'Entity'][0] AS label, x
ORDER BY key LIMIT 5
