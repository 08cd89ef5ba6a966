// kind: internal
// returns: key, tag, repo, at
// Every release with its tag, for the entity linker.
MATCH (n:Entity:Release) WHERE visible(n)
RETURN n.key AS key, n.tag AS tag, n.repo AS repo, n.at AS at
ORDER BY key LIMIT 200000
