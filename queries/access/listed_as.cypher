// kind: internal
// params: person: str
// example: {person: "person:ilse-v"}
// returns: key
// The entries in the catalogue and in lists of people that are stated to be one person's.
MATCH (a:Account)-[s:SAME_AS]->(p:Person {key: $person})
WHERE visible(a) AND visible(p) AND current(s) AND a.system IN ['catalogue', 'roster']
RETURN a.key AS key
ORDER BY key LIMIT 5
