// kind: internal
// params: person: str
// example: {person: "person:leilaf"}
// returns: key, name, rel, source, line
// What a person owns, leads technically or works on at the instant, as far as the viewer may see it.
MATCH (p:Entity {key: $person})-[r:OWNS|TECH_LEAD_OF|WORKS_ON]->(s:Entity)
WHERE visible(p) AND visible(s) AND NOT p:Chunk AND NOT s:Chunk AND NOT s:Team AND NOT s:Directory AND NOT s:File AND current(r)
OPTIONAL MATCH (e:Evidence {id: r.evidence[0]}) WHERE visible(e)
RETURN DISTINCT s.key AS key, s.name AS name, type(r) AS rel, e.source AS source, e.line AS line
ORDER BY key, rel, source, line LIMIT 200
