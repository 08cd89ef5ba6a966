// kind: internal
// params: k: int = 5000
// returns: key, login, name, departed_at
// The people with a login that the viewer may see, by login; bots are left out.
MATCH (p:Person) WHERE visible(p) AND p.login IS NOT NULL AND NOT coalesce(p.bot, false)
RETURN p.key AS key, p.login AS login, p.name AS name, p.departed_at AS departed_at
ORDER BY login, key LIMIT $k
