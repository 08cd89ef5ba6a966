// kind: internal
// returns: key, name, short, org, aliases
// Every repository with the names it is known by, for the entity linker.
MATCH (n:Entity:Repo) WHERE visible(n)
RETURN n.key AS key, n.name AS name, n.short AS short, n.org AS org, n.aliases AS aliases
ORDER BY key LIMIT 100000
