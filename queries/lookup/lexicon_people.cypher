// kind: internal
// returns: key, name, login, names, bot
// Every person with login and the names they sign with, for the entity linker.
MATCH (n:Entity:Person) WHERE visible(n)
RETURN n.key AS key, n.name AS name, n.login AS login, n.names AS names, coalesce(n.bot, false) AS bot
ORDER BY key LIMIT 200000
