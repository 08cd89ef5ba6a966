// kind: internal
// params: key: str, k: int = 2000
// example: {key: "team:platform"}
// returns: key, name, valid_from, valid_to, departed_at, from_key, line, quote
// Every membership of a team that is stated, ended ones and those that have not begun among them, with the line that states it.
MATCH (t:Team {key: $key}) WHERE visible(t)
WITH t
MATCH (o:Person)-[m:MEMBER_OF]->(t) WHERE stated(m) AND visible(o) AND visible(t)
OPTIONAL MATCH (e:Evidence {id: m.evidence[0]}) WHERE visible(e)
RETURN o.key AS key, o.name AS name, m.valid_from AS valid_from, m.valid_to AS valid_to, o.departed_at AS departed_at,
  coalesce(e.source, m.access_key) AS from_key, e.line AS line, e.quote AS quote, o, m, t
ORDER BY key, valid_from, from_key LIMIT $k
