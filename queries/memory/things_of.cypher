// kind: internal
// params: who: str
// example: {who: "person:leilaf"}
// returns: key, name, source
// What a person owns, leads technically or works on at the instant, as far as the viewer may see it.
MATCH (p:Entity {key: $who})-[r:OWNS|TECH_LEAD_OF|WORKS_ON]->(s:Entity)
WHERE visible(p) AND visible(s) AND NOT p:Chunk AND NOT s:Chunk AND NOT s:Team AND current(r)
OPTIONAL MATCH (e:Evidence {id: r.evidence[0]}) WHERE visible(e)
RETURN s.key AS key, s.name AS name, min(e.source) AS source
ORDER BY key LIMIT 200
