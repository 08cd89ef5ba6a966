// kind: internal
// returns: key, handle, names
// The accounts of every person: how somebody is called in chat, in the catalogue, on a roster.
MATCH (a:Entity:Account)-[r:SAME_AS]->(n:Person) WHERE current(r) AND visible(a) AND visible(n)
RETURN n.key AS key, a.handle AS handle, a.names AS names
ORDER BY key, handle LIMIT 200000
