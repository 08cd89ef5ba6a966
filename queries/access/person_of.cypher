// kind: internal
// params: keys: list[str]
// example: {keys: ["person:ilse-v"]}
// returns: key, said, departed_at
// The people behind these keys of people and of accounts that are stated to be theirs; `said` tells what makes them known: a
// login, an account, or authorship alone.
MATCH (p:Person) WHERE p.key IN $keys AND visible(p)
RETURN p.key AS key, CASE WHEN p.login IS NULL THEN 'author' ELSE 'login' END AS said, p.departed_at AS departed_at
ORDER BY key, said LIMIT 10
UNION
MATCH (a:Account)-[s:SAME_AS]->(p:Person) WHERE a.key IN $keys AND visible(a) AND visible(p) AND current(s)
RETURN p.key AS key, 'account' AS said, p.departed_at AS departed_at
ORDER BY key, said LIMIT 10
