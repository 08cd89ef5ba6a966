// kind: internal
// params: keys: list[str]
// returns: src, rel, dst, aid, source, rule
// Claims that hold and start at these things, with what each rests on and by what rule it was read.
MATCH (a:Entity)-[r:OWNS|TECH_LEAD_OF|MAINTAINED_BY|REPORTS_TO|ON_CALL_FOR|WORKS_ON|USES|DEPENDS_ON|HANDLED_BY|ASSIGNED_TO|CAUSED_BY|FIXED_BY|SUPERSEDES|HAS_RESOURCE]->(b:Entity)
WHERE a.key IN $keys AND visible(a) AND visible(b) AND current(r) AND NOT a:Chunk AND NOT b:Chunk
RETURN a.key AS src, type(r) AS rel, b.key AS dst, r.aid AS aid, r.access_key AS source, r.rule AS rule
ORDER BY src, rel, dst, aid LIMIT 20000
