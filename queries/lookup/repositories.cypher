// kind: internal
// returns: key, name, short, aliases
// Every repository with the names it goes by.
MATCH (x:Repo) WHERE visible(x)
RETURN x.key AS key, x.name AS name, x.short AS short, coalesce(x.aliases, []) AS aliases, x
ORDER BY key LIMIT 10000
