// kind: internal
// returns: key, name, terms, uses
// Every concept with its terms, for the entity linker.
MATCH (n:Entity:Concept) WHERE visible(n)
RETURN n.key AS key, n.name AS name, n.terms AS terms, n.uses AS uses
ORDER BY key LIMIT 20000
