// kind: internal
// params: keys: list[str]
// example: {keys: ["person:ilse-v"]}
// returns: key, departed_at
// The people behind these keys of people and of accounts that are stated to be theirs.
MATCH (p:Person) WHERE p.key IN $keys AND visible(p)
RETURN p.key AS key, p.departed_at AS departed_at
ORDER BY key LIMIT 5
UNION
MATCH (a:Account)-[s:SAME_AS]->(p:Person) WHERE a.key IN $keys AND visible(a) AND visible(p) AND current(s)
RETURN p.key AS key, p.departed_at AS departed_at
ORDER BY key LIMIT 5
