// kind: internal
// params: keys: list[str]
// returns: aid, src, rel, dst, src_name, dst_name
// Approved claims that hold and have one of these things as an end, of the relationships whose one end has one other end at a time; for
// people who decide about claims that contradict them.
MATCH (a:Entity)-[r:OWNS|TECH_LEAD_OF|MAINTAINED_BY|REPORTS_TO]->(b:Entity)
WHERE (a.key IN $keys OR b.key IN $keys) AND current(r) AND visible(a) AND visible(b) AND NOT a:Chunk AND NOT b:Chunk
RETURN r.aid AS aid, a.key AS src, type(r) AS rel, b.key AS dst, a.name AS src_name, b.name AS dst_name
ORDER BY rel, src, dst, aid LIMIT 5000
