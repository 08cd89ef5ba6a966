// kind: internal
// returns: key, name, title, number, topic, doc
// Every decision the viewer may read, to find the one that is meant.
MATCH (d:Decision) WHERE visible(d)
RETURN d.key AS key, d.name AS name, d.title AS title, d.number AS number, d.topic AS topic, d.doc AS doc
ORDER BY key LIMIT 20000
