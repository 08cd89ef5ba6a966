// kind: internal
// params: states: list[str] = [candidate], rels: list[str] = [], aids: list[str] = [], words: str = "", skip: int = 0, k: int = 50
// returns: total, aid, rel, src, src_name, dst, dst_name, state, authority, read_by, scope, recorded_at, valid_from, valid_to, source, source_name, line, quote, file
// Claims in one of these states that the viewer may read, with what each rests on, of these relationships (none: any) or of
// these ids, whose ends are called by the words; for people who decide about them, never for answers.
MATCH (a:Entity)-[r:OWNS|TECH_LEAD_OF|MAINTAINED_BY|HOLDS_ROLE|REPORTS_TO|ON_CALL_FOR|WORKS_ON|USES|DEPENDS_ON|HANDLED_BY|ASSIGNED_TO|DECIDED|WROTE|JUSTIFIED_BY|CAUSED_BY|FIXED_BY|SUPERSEDES|APPLIES_TO|HAS_RESOURCE|SAME_AS|SIMILAR_TO|MEMBER_OF]->(b:Entity)
WHERE r.state IN $states AND (size($aids) = 0 OR r.aid IN $aids) AND (size($rels) = 0 OR type(r) IN $rels)
  AND claimed(r) AND decidable(a) AND decidable(b) AND NOT a:Chunk AND NOT b:Chunk
  AND ($words = '' OR toLower(a.name + ' ' + a.key + ' ' + b.name + ' ' + b.key) CONTAINS $words)
WITH a, r, b ORDER BY type(r), a.key, b.key, r.aid
WITH collect([a, r, b]) AS found
WITH size(found) AS total, found[$skip..($skip + $k)] AS page
UNWIND page AS hit
WITH total, hit[0] AS a, hit[1] AS r, hit[2] AS b
OPTIONAL MATCH (e:Evidence {id: r.evidence[0]}) WHERE visible(e)
OPTIONAL MATCH (s:Entity {key: r.access_key}) WHERE visible(s) AND NOT s:Chunk
RETURN total, r.aid AS aid, type(r) AS rel, a.key AS src, a.name AS src_name, b.key AS dst, b.name AS dst_name, r.state AS state,
  r.authority AS authority, r.rule AS read_by, r.scope AS scope, r.recorded_at AS recorded_at, r.valid_from AS valid_from,
  r.valid_to AS valid_to, e.source AS source, s.name AS source_name, e.line AS line, e.quote AS quote, e.file AS file
ORDER BY rel, src, dst, aid LIMIT 5000
