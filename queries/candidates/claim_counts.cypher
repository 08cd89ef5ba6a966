// kind: internal
// params: states: list[str] = [candidate]
// returns: rel, n
// How many claims in one of these states the viewer may read, by relationship; for people who decide about them.
MATCH (a:Entity)-[r:OWNS|TECH_LEAD_OF|MAINTAINED_BY|HOLDS_ROLE|REPORTS_TO|ON_CALL_FOR|WORKS_ON|USES|DEPENDS_ON|HANDLED_BY|ASSIGNED_TO|DECIDED|WROTE|JUSTIFIED_BY|CAUSED_BY|FIXED_BY|SUPERSEDES|APPLIES_TO|HAS_RESOURCE|SAME_AS|SIMILAR_TO|MEMBER_OF]->(b:Entity)
WHERE r.state IN $states AND claimed(r) AND decidable(a) AND decidable(b) AND NOT a:Chunk AND NOT b:Chunk
RETURN type(r) AS rel, count(r) AS n
ORDER BY n DESC, rel LIMIT 100
