// kind: internal
// params: after: str = "", k: int = 1000
// example: {}
// returns: key, name, messages
// Chat threads the viewer may read, by key, each with its messages in order.
MATCH (t:Thread) WHERE visible(t) AND t.key > $after
WITH t ORDER BY t.key
WITH collect(t)[..$k] AS some
UNWIND some AS t
OPTIONAL MATCH (m:Message)-[r:IN_THREAD]->(t) WHERE visible(m) AND current(r) AND visible(t)
WITH t, m ORDER BY t.key, m.at, m.key
RETURN t.key AS key, t.name AS name, collect(m.key) AS messages
ORDER BY key LIMIT 1000
